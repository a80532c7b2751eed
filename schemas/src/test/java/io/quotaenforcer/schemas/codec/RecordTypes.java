package io.quotaenforcer.schemas.codec;

import io.quotaenforcer.schemas.AuditRecord;
import io.quotaenforcer.schemas.DeferralAnswer;
import io.quotaenforcer.schemas.DeferralCommand;
import io.quotaenforcer.schemas.DeferralInquiry;
import io.quotaenforcer.schemas.DeferredRequest;
import io.quotaenforcer.schemas.Entitlement;
import io.quotaenforcer.schemas.ExhaustedQuota;
import io.quotaenforcer.schemas.LimitInForce;
import io.quotaenforcer.schemas.LoadSignal;
import io.quotaenforcer.schemas.PrefixInfo;
import io.quotaenforcer.schemas.QuotaRule;
import io.quotaenforcer.schemas.QuotaSnapshot;
import io.quotaenforcer.schemas.Replay;
import io.quotaenforcer.schemas.ReplayResult;
import io.quotaenforcer.schemas.RequestEvent;
import io.quotaenforcer.schemas.RuleVersion;
import io.quotaenforcer.schemas.UsageReport;
import io.quotaenforcer.schemas.avro.RecordType;
import io.quotaenforcer.schemas.avro.WireRecord;
import java.util.List;

/** The records that are sent by themselves. */
final class RecordTypes {
  static final List<RecordType<?>> ALL =
      List.of(
          QuotaRule.TYPE,
          PrefixInfo.TYPE,
          RuleVersion.TYPE,
          Entitlement.TYPE,
          UsageReport.TYPE,
          QuotaSnapshot.TYPE,
          RequestEvent.TYPE,
          ExhaustedQuota.TYPE,
          DeferredRequest.TYPE,
          DeferralInquiry.TYPE,
          ReplayResult.TYPE,
          DeferralCommand.TYPE,
          DeferralAnswer.TYPE,
          Replay.TYPE,
          LoadSignal.TYPE,
          LimitInForce.TYPE,
          AuditRecord.TYPE);

  private RecordTypes() {}

  @SuppressWarnings("unchecked")
  static RecordCodec<WireRecord> codecOfAll(Codecs codecs) {
    return codecs.codec("all", ALL.toArray(RecordType[]::new));
  }
}
