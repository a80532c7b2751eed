package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.message.DeferralAnswer.Verdict;
import io.quotaenforcer.schemas.DeferralAnswer;
import io.quotaenforcer.schemas.DeferralVerdict;

/** Answers to deferred requests, to and from the wire. */
public final class DeferralAnswerMapping {
  private DeferralAnswerMapping() {}

  public static DeferralAnswer toRecord(io.quotaenforcer.core.message.DeferralAnswer answer) {
    return new DeferralAnswer(
        answer.instance(),
        answer.epoch(),
        answer.id(),
        DeferralVerdict.valueOf(answer.verdict().name()),
        answer.reason(),
        answer.retryAfterMillis(),
        answer.waiting(),
        answer.quotaKey(),
        answer.release());
  }

  public static io.quotaenforcer.core.message.DeferralAnswer fromRecord(DeferralAnswer record) {
    return new io.quotaenforcer.core.message.DeferralAnswer(
        record.instance(),
        record.epoch(),
        record.id(),
        record.quotaKey(),
        Verdict.valueOf(record.verdict().name()),
        record.reason(),
        record.retryAfterMillis(),
        record.waiting(),
        record.release());
  }
}
