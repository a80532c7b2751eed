package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.message.QuotaAnswer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What follows from a report.
 *
 * @param ledger the key's ledger from now on
 * @param answer what to tell the instance; empty when there is nothing to say yet
 * @param counts changes to the windowed counts
 * @param exhaustedUntil until when every instance must be told that the key is exhausted; empty
 *     when there is nothing new to tell
 * @param mayGetMore the same report, applied again after the next commit, may be granted more
 * @param urgent requests wait for that, or the instance has nothing at all to decide with
 */
public record LedgerOutcome(
    KeyLedger ledger,
    Optional<QuotaAnswer> answer,
    List<WindowCount> counts,
    OptionalLong exhaustedUntil,
    boolean mayGetMore,
    boolean urgent) {}
