// Without a config here, vitest would take that of the project.
export default {}
