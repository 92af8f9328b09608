/** The files that name the version of the package, beside package.json: the chart, and examples that users copy. */

export const VERSIONED_FILES = [
  'README.md',
  'action.yml',
  'charts/llm-api-mock/Chart.yaml',
  'docs/ci.md',
  'docs/deploy/kubernetes.yaml',
  'docs/recipes/compose.yaml',
  'docs/recipes/github-action.yml',
  'docs/recipes/github-services.yml',
  'docs/recipes/gitlab-ci.yml',
  'docs/recipes/testcontainers.test.js',
]

/** After the name of the package, image or action, and in the lines of Chart.yaml: 1.2.3 or 1.2.3-rc.1. */
const VERSION = /(?<=llm-api-mock(?:-|:|@v)|^(?:v|appV)ersion: )\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?/gm

export const withVersion = (text: string, version: string): string => text.replaceAll(VERSION, version)

/** The versions that a file names, each once. */
export const versionsIn = (text: string): readonly string[] => [...new Set(text.match(VERSION))]
