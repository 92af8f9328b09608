/**
 * The width of a text in a terminal, in place of the package string-width. Each start would load its rules for Asian
 * characters and emoji, which takes 15 ms, and the help has neither.
 */
import { stripVTControlCharacters } from 'node:util'

export default (text = ''): number => stripVTControlCharacters(text).length
