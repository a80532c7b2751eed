package io.quotaenforcer.cli;

/** Format of results; the option takes the constants' names. */
@SuppressWarnings("MemberName")
enum OutputFormat {
  table,
  json
}
