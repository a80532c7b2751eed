package io.quotaenforcer.simulation.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class FingerprintTest {
  private static class Part {
    long count;
    double rate;
    List<Part> parts = new ArrayList<>();
  }

  private record Value(long one, String two) {}

  @Test
  void equalState_sameFingerprint() {
    assertThat(of(new Part())).isEqualTo(of(new Part()));
    assertThat(of(List.of(new Value(1, "a")))).isEqualTo(of(List.of(new Value(1, "a"))));
  }

  @Test
  void anyField_tells() {
    Part counted = new Part();
    counted.count = 1;
    Part rated = new Part();
    rated.rate = 1e-300;
    Part parent = new Part();
    parent.parts.add(new Part());

    assertThat(List.of(of(new Part()), of(counted), of(rated), of(parent))).doesNotHaveDuplicates();
  }

  @Test
  void objectThatIsShared_isNotTwoThatAreAlike_butAValueIs() {
    Part part = new Part();
    Value value = new Value(1, "a");

    assertThat(of(List.of(part, part))).isNotEqualTo(of(List.of(new Part(), new Part())));
    assertThat(of(List.of(value, value)))
        .isEqualTo(of(List.of(new Value(1, "a"), new Value(1, "a"))));
  }

  @Test
  void cycle_isRead() {
    Part part = new Part();
    part.parts.add(part);

    assertThat(of(part)).isNotEqualTo(of(new Part()));
  }

  @Test
  void classThatIsNotKnown_isRefused() {
    assertThatThrownBy(() -> of(new BitSet())).hasMessageContaining("java.util.BitSet");
  }

  private static Fingerprint of(Object state) {
    return Fingerprint.of(state, List.of(), 0);
  }
}
