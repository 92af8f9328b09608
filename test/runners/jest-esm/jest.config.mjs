export default { transform: {} }
