package io.quotaenforcer.core.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.message.HolderId.Combiner;
import io.quotaenforcer.core.message.HolderId.Instance;
import io.quotaenforcer.core.message.HolderId.Replays;
import io.quotaenforcer.core.message.HolderId.Reserved;
import io.quotaenforcer.core.message.HolderId.Unrecorded;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HolderIdTest {
  @Test
  void holder_isOfTheKindThatItsTextBeginsWith() {
    assertThat(HolderId.of("")).isEqualTo(Unrecorded.ONE);
    assertThat(HolderId.of("#replays-3")).isEqualTo(Replays.of(3));
    assertThat(HolderId.of("#folded")).isEqualTo(Reserved.FOLDED);
    assertThat(HolderId.of("#else")).isEqualTo(new Reserved("#else"));
    assertThat(HolderId.of("combiner-3")).isEqualTo(Combiner.of(3));
    assertThat(HolderId.of("replays-3")).isEqualTo(new Instance("replays-3"));
    assertThat(HolderId.of("a#replays-3")).isEqualTo(new Instance("a#replays-3"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "#", "#replays-", "#replays-007", "#folded", "combiner-", "combiner-x", "a"})
  void text_thatWasRead_isWrittenAgain(String text) {
    assertThat(HolderId.of(text).text()).isEqualTo(text);
  }
}
