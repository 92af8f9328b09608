/** The tests that mutants have to fail: those of pure functions. */
import { defineConfig } from 'vitest/config'
import projects from '../../vitest.config.ts'

const [pure] = projects.test!.projects as { test: object }[]

export default defineConfig({ test: { ...pure!.test } })
