package io.quotaenforcer.cli;

/** How results are written; the names are what the option takes. */
@SuppressWarnings("MemberName")
enum OutputFormat {
  table,
  json
}
