package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.enforcer.store.KeyLedgerCodec;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadLedgersTest {
  private static final QuotaKey KEY = QuotaKey.of(new RuleId("d", "r"), List.of("42"));

  private final ReadLedgers read = new ReadLedgers();

  @Test
  void ledger_ofTheBytesThatWereWritten_isTheVeryLedger() {
    KeyLedger written = ledger(7);
    byte[] value = KeyLedgerCodec.write(written);
    read.remember(KEY, value, written);
    assertThat(read.ledger(KEY, value.clone())).isSameAs(written);
  }

  @Test
  void ledger_ofOtherBytes_isWhatTheBytesSay() {
    KeyLedger written = ledger(7);
    read.remember(KEY, KeyLedgerCodec.write(written), written);
    KeyLedger stored = ledger(8);
    assertThat(read.ledger(KEY, KeyLedgerCodec.write(stored))).isEqualTo(stored);
  }

  @Test
  void ledger_ofAKeyThatWasNeverWritten_isDecoded() {
    KeyLedger stored = ledger(9);
    assertThat(read.ledger(KEY, KeyLedgerCodec.write(stored))).isEqualTo(stored);
  }

  private static KeyLedger ledger(long generation) {
    return KeyLedger.first(generation, new FixedWindow(10, 1_000_000_000L), 0, 1, 5_000);
  }
}
