/**
 * The enforcer's side of the protocol: the permits left of each quota key and their holders.
 * Applying a report is a pure function of the key's ledger, the report and the time. Carries out
 * "The ledger books and grants", "Committed headroom" and "Shares" of protocol.md.
 */
@NullMarked
package io.quotaenforcer.core.ledger;

import org.jspecify.annotations.NullMarked;
