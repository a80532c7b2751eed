package io.quotaenforcer.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.ref.Reference;
import org.junit.jupiter.api.Test;

class HeapHistogramTest {
  private static final String TEXT =
      """
       num     #instances         #bytes  class name (module)
      -------------------------------------------------------
         1:            10            240  java.lang.String (java.base@17.0.15)
         2:             7            300  [B (java.base@17.0.15)
      Total            17            540
      """;

  @Test
  void parse_text_hasClassesLargestFirst_andNoTotalRow() {
    HeapHistogram histogram = HeapHistogram.parse(TEXT);
    assertThat(histogram.bytes()).isEqualTo(540);
    assertThat(histogram.rows())
        .containsExactly(
            new HeapHistogram.Row("[B", 7, 300),
            new HeapHistogram.Row("java.lang.String", 10, 240));
  }

  @Test
  void parse_otherText_isRefused() {
    assertThatThrownBy(() -> HeapHistogram.parse("Unknown diagnostic command"))
        .hasMessageContaining("Unknown diagnostic command");
  }

  @Test
  void since_earlierHistogram_isTheDifference() {
    HeapHistogram before = HeapHistogram.parse("   1:  4  100  java.lang.String (java.base)\n");
    HeapHistogram since = HeapHistogram.parse(TEXT).since(before);
    assertThat(since.bytes()).isEqualTo(440);
    assertThat(since.rows()).contains(new HeapHistogram.Row("java.lang.String", 6, 140));
    assertThat(since.largest(1).rows()).hasSize(1);
    assertThat(since.largest(1).bytes()).isEqualTo(440);
  }

  @Test
  void ofThisJvm_countsWhatIsHeld() {
    HeapHistogram before = HeapHistogram.ofThisJvm();
    byte[] held = new byte[3_000_000];
    HeapHistogram since = HeapHistogram.ofThisJvm().since(before);
    assertThat(since.bytes()).isGreaterThan(held.length * 9 / 10);
    Reference.reachabilityFence(held);
  }

  @Test
  void read_whatWasWritten_isTheSame() throws IOException {
    HeapHistogram histogram = HeapHistogram.parse(TEXT);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    histogram.write(new DataOutputStream(bytes));
    assertThat(
            HeapHistogram.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()))))
        .isEqualTo(histogram);
  }
}
