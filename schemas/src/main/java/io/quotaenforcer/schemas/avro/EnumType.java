package io.quotaenforcer.schemas.avro;

import io.quotaenforcer.schemas.avro.Shape.Enumeration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An enum that symbols of a schema are read as.
 *
 * @param constants in the order of the schema
 * @param otherwise what a symbol is read as that is not known here; null where that cannot be read
 */
public record EnumType<E extends Enum<E>>(
    Enumeration shape, List<E> constants, @Nullable E otherwise) {
  public EnumType {
    constants = List.copyOf(constants);
  }

  /**
   * The type of an enum whose constants are named as the symbols, in their order.
   *
   * @param name in full
   */
  public static <E extends Enum<E>> EnumType<E> of(
      String name, E[] constants, @Nullable E otherwise) {
    List<String> symbols = Arrays.stream(constants).map(Enum::name).toList();
    return new EnumType<>(new Enumeration(name, symbols), List.of(constants), otherwise);
  }

  /** Reads what was written by this schema. */
  public E read(BinaryInput in) {
    return constants.get(in.readIndex(constants.size()));
  }

  /** The constant that a symbol of another schema is read as; null if it cannot be read. */
  @Nullable E constant(String symbol) {
    int at = shape.symbols().indexOf(symbol);
    return at < 0 ? otherwise : constants.get(at);
  }
}
