package io.quotaenforcer.schemas.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.schemas.avro.RecordType;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class PortableSchemasTest {
  @SuppressWarnings("unused")
  private static final Object TYPES = RecordTypes.ALL;

  @ParameterizedTest
  @FieldSource("TYPES")
  void generatedSchema_losesWhatIsForJavaAndKeepsTheRest(RecordType<?> type) {
    Schema generated = new Schema.Parser().parse(type.schema());

    Schema portable = PortableSchemas.portable(generated);

    assertThat(portable.toString()).doesNotContain("avro.java");
    assertThat(SchemaNormalization.toParsingForm(portable))
        .isEqualTo(SchemaNormalization.toParsingForm(generated));
    assertThat(portable.getDoc()).isEqualTo(generated.getDoc());
    assertThat(portable.getFields().get(0).doc()).isEqualTo(generated.getFields().get(0).doc());
  }
}
