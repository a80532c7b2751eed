package io.quotaenforcer.client;

import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.AdaptState;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.allotment.InstanceBook;
import io.quotaenforcer.core.rule.OwnLimits;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts in force what the load of this instance leaves of limits, and says so where it is another
 * part or another reason. Used by one thread.
 */
final class OwnLoad implements Consumer<OwnLimits> {
  private static final Logger log = LoggerFactory.getLogger(OwnLoad.class);

  private final InstanceBook book;
  private final ClientTelemetry telemetry;
  private OwnLimits before = OwnLimits.NONE;

  OwnLoad(InstanceBook book, ClientTelemetry telemetry) {
    this.book = book;
    this.telemetry = telemetry;
  }

  @Override
  public void accept(OwnLimits limits) {
    book.applyOwnLimits(limits);
    OwnLimits older = before;
    before = limits;
    limits
        .byRule()
        .forEach(
            (rule, now) -> {
              AdaptState then =
                  older.byRule().containsKey(rule) ? older.byRule().get(rule).state() : null;
              String why = now.state().reason().toString();
              if (then == null
                  || then.basisPoints() != now.state().basisPoints()
                  || !then.reason().toString().equals(why)) {
                told(rule, now.state().basisPoints(), why);
              }
            });
  }

  private void told(RuleId rule, int basisPoints, String why) {
    double part = (double) basisPoints / AdaptTerms.WHOLE;
    log.debug("{} of the limit of {} is in force: {}", part, rule, why);
    telemetry.limitInForce(rule, part, why);
  }
}
