/** The names of the report's forms: alone in a file, because every command line loads them. */

export const REPORT_FORMS = ['pretty', 'json', 'junit', 'github', 'none'] as const
export type ReportForm = (typeof REPORT_FORMS)[number]

/** A run can also write a page. */
export const RUN_REPORT_FORMS = [...REPORT_FORMS, 'html'] as const

/** A hunt can also write a comment for a pull request, and a badge. */
export const HUNT_REPORT_FORMS = [...REPORT_FORMS, 'markdown', 'badge'] as const
export type HuntReportForm = (typeof HUNT_REPORT_FORMS)[number]
