package io.quotaenforcer.schemas.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.schemas.ExhaustedQuota;
import io.quotaenforcer.schemas.avro.RecordType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.message.BinaryMessageEncoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WireFormatTest {
  private static final ExhaustedQuota RECORD = new ExhaustedQuota(3L, 1_000L, 0L, 0L);

  /** A change here means that readers of the last version cannot read the next without help. */
  @ParameterizedTest
  @CsvSource({
    "QuotaRule,      c301011d8567a2e17a78",
    "PrefixInfo,     c3011de3ea821c7adde4",
    "RuleVersion,    c30147bd489907f345d4",
    "Entitlement,    c30140b6d1a19d0686ad",
    "UsageReport,    c301811825c1c6c11f4b",
    "QuotaSnapshot,  c301f321928d32d2bb64",
    "RequestEvent,   c30187186ba881b666f0",
    "ExhaustedQuota, c30119facabff2e42ed9",
    "DeferredRequest, c3010dbf45a9387d06c5",
    "DeferralInquiry, c30119c7b182d4c1d883",
    "ReplayResult, c301774ea75971f912cc",
    "DeferralCommand, c301d2e4b49108faf6a8",
    "DeferralAnswer, c3017987a1f4391867b0",
    "Replay, c30193dcd1d6a82633d6",
    "LoadSignal, c301bced5ea2428bb598",
    "LimitInForce, c301b5f2f861912c13f6",
    "AuditRecord, c30152205055757d040e",
  })
  void singleObjectHeader_isThatOfTheReleasedSchema(String name, String header)
      throws ReflectiveOperationException {
    RecordType<?> type =
        (RecordType<?>)
            Class.forName("io.quotaenforcer.schemas." + name).getField("TYPE").get(null);

    byte[] actual = WireFormat.singleObjectHeader(type.shape().fingerprint());

    assertThat(HexFormat.of().formatHex(actual)).isEqualTo(header);
  }

  @Test
  void recordWithoutRegistry_isWrittenAsAvroDoes() throws IOException {
    ByteBuffer avros =
        new BinaryMessageEncoder<GenericRecord>(
                GenericData.get(), AvroRecords.schemaOf(ExhaustedQuota.TYPE))
            .encode(AvroRecords.generic(RECORD));

    byte[] ours =
        Codecs.withoutRegistry().codec("quota.exhausted", ExhaustedQuota.TYPE).encode(RECORD);

    assertThat(ByteBuffer.wrap(ours)).isEqualTo(avros);
  }

  @Test
  void recordWithRegistry_isMagicIdAndBinary() {
    StubRegistry registry = new StubRegistry();

    byte[] bytes =
        Codecs.with(registry).codec("quota.exhausted", ExhaustedQuota.TYPE).encode(RECORD);

    assertThat(HexFormat.of().formatHex(bytes))
        .isEqualTo("00" + "00000001" + "06" + "d00f" + "0000");
  }
}
