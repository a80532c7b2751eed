package io.quotaenforcer.docs;

/**
 * A page of documentation.
 *
 * @param file its name
 * @param text Markdown or JSON, ending with a line break
 */
public record Page(String file, String text) {}
