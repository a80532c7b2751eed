package io.quotaenforcer.schemas.codec;

import io.quotaenforcer.schemas.DeferralAnswer;
import io.quotaenforcer.schemas.DeferralCommand;
import io.quotaenforcer.schemas.DeferralInquiry;
import io.quotaenforcer.schemas.DeferredRequest;
import io.quotaenforcer.schemas.ExhaustedQuota;
import io.quotaenforcer.schemas.PrefixInfo;
import io.quotaenforcer.schemas.QuotaRule;
import io.quotaenforcer.schemas.QuotaSnapshot;
import io.quotaenforcer.schemas.Replay;
import io.quotaenforcer.schemas.ReplayResult;
import io.quotaenforcer.schemas.RequestEvent;
import io.quotaenforcer.schemas.RuleVersion;
import io.quotaenforcer.schemas.UsageReport;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/** The records that are sent by themselves. */
final class RecordTypes {
  static final List<Class<? extends SpecificRecord>> ALL =
      List.of(
          QuotaRule.class,
          PrefixInfo.class,
          RuleVersion.class,
          UsageReport.class,
          QuotaSnapshot.class,
          RequestEvent.class,
          ExhaustedQuota.class,
          DeferredRequest.class,
          DeferralInquiry.class,
          ReplayResult.class,
          DeferralCommand.class,
          DeferralAnswer.class,
          Replay.class);

  private RecordTypes() {}

  @SuppressWarnings("unchecked")
  static RecordCodec<SpecificRecord> codecOfAll(Codecs codecs) {
    return codecs.codec("all", ALL.toArray(Class[]::new));
  }
}
