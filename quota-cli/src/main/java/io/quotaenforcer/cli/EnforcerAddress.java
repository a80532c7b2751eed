package io.quotaenforcer.cli;

import java.net.URI;

/**
 * The HTTP address of an enforcer.
 *
 * @param origin where it is configured, in words for a message
 */
record EnforcerAddress(URI uri, String origin) {}
