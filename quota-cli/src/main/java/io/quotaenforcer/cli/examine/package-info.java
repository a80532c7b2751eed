/** Gathers the facts that a doctor judges, from brokers, a schema registry and enforcers. */
@NullMarked
package io.quotaenforcer.cli.examine;

import org.jspecify.annotations.NullMarked;
