package io.quotaenforcer.bench.command;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;

/**
 * The JSON that benchmarks write for programs: of each record its components and the methods that
 * are annotated, whatever is null left out. Figures have six digits.
 */
public final class Report {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .visibility(PropertyAccessor.ALL, Visibility.NONE)
          .visibility(PropertyAccessor.FIELD, Visibility.ANY)
          .serializationInclusion(JsonInclude.Include.NON_NULL)
          .addModule(
              new SimpleModule()
                  .addSerializer(Double.class, new SixDigits())
                  .addSerializer(double.class, new SixDigits()))
          .build();

  private Report() {}

  public static String text(Object report) {
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(report);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("must be written as JSON: report=" + report, e);
    }
  }

  private static final class SixDigits extends StdSerializer<Double> {
    private static final long serialVersionUID = 1;
    private static final MathContext DIGITS = new MathContext(6);

    SixDigits() {
      super(Double.class);
    }

    @Override
    public void serialize(Double figure, JsonGenerator to, SerializerProvider provider)
        throws IOException {
      to.writeNumber(
          Double.isFinite(figure) ? new BigDecimal(figure).round(DIGITS).doubleValue() : figure);
    }
  }
}
