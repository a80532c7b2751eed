/**
 * The enforcer's side of the protocol: what is left of each quota key and who holds what. Applying
 * a report is a pure function of the key's ledger, the report and the time.
 */
@NullMarked
package io.quotaenforcer.core.ledger;

import org.jspecify.annotations.NullMarked;
