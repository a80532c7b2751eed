package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.message.HolderId;

/**
 * One epoch of a holder, under one generation of the rule.
 *
 * @param generation generation of the rule that its cells belong to
 */
public record HolderKey(HolderId id, long epoch, long generation) {}
