/** The client's background threads: usage reports out, rules and quota snapshots in. */
@NullMarked
package io.quotaenforcer.client.kafka;

import org.jspecify.annotations.NullMarked;
