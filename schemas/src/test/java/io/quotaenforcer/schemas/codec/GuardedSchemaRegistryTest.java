package io.quotaenforcer.schemas.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

class GuardedSchemaRegistryTest {
  private static final String SCHEMA = "\"long\"";

  private final StubRegistry registry = new StubRegistry();
  private long nowNanos = Long.MAX_VALUE - 5;
  private final GuardedSchemaRegistry guarded = new GuardedSchemaRegistry(registry, () -> nowNanos);

  @Test
  void sameQuestion_isAskedOnce() {
    int id = guarded.idOf("subject", SCHEMA);

    assertThat(guarded.idOf("subject", SCHEMA)).isEqualTo(id);
    assertThat(guarded.schemaOf(id)).isEqualTo(guarded.schemaOf(id)).isEqualTo(SCHEMA);
    assertThat(registry.requests()).isEqualTo(2);
  }

  @Test
  void unknownId_isAskedAgainOnlyAfterAWhile() {
    assertFails(() -> guarded.schemaOf(1));
    assertFails(() -> guarded.schemaOf(1));
    assertThat(registry.requests()).isEqualTo(1);

    registry.add(new org.apache.avro.Schema.Parser().parse(SCHEMA));
    nowNanos += GuardedSchemaRegistry.REFUSED_FOR.toNanos();

    assertThat(guarded.schemaOf(1)).isEqualTo(SCHEMA);
  }

  @Test
  void unknownIds_inFloods_areForgotten() {
    for (int id = 1; id <= 3 * GuardedSchemaRegistry.MAX_REMEMBERED; id++) {
      int unknown = id;
      assertFails(() -> guarded.schemaOf(unknown));
    }
    int asked = registry.requests();

    assertFails(() -> guarded.schemaOf(1));

    assertThat(registry.requests()).isEqualTo(asked + 1);
  }

  @Test
  void registryAway_isLeftAloneForAWhile() {
    registry.away(true);
    assertFails(() -> guarded.schemaOf(1));
    assertFails(() -> guarded.schemaOf(2));
    assertFails(() -> guarded.idOf("subject", SCHEMA));
    assertThat(registry.requests()).isEqualTo(1);

    registry.away(false);
    nowNanos += GuardedSchemaRegistry.AWAY_FOR.toNanos();

    assertThat(guarded.idOf("subject", SCHEMA)).isEqualTo(1);
  }

  @Test
  void registryAway_answersWhatIsKnown() {
    int id = guarded.idOf("subject", SCHEMA);
    registry.away(true);
    assertFails(() -> guarded.schemaOf(2));

    assertThat(guarded.idOf("subject", SCHEMA)).isEqualTo(id);
  }

  private static void assertFails(Runnable request) {
    assertThatExceptionOfType(CodecException.class).isThrownBy(request::run);
  }
}
