package io.quotaenforcer.schemas.avro;

import io.quotaenforcer.schemas.avro.Shape.Enumeration;
import io.quotaenforcer.schemas.avro.Shape.Field;
import io.quotaenforcer.schemas.avro.Shape.ListOf;
import io.quotaenforcer.schemas.avro.Shape.MapOf;
import io.quotaenforcer.schemas.avro.Shape.Primitive;
import io.quotaenforcer.schemas.avro.Shape.Structure;
import io.quotaenforcer.schemas.avro.Shape.Union;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Readers of what was written by another schema than that of the class (Avro specification, "Schema
 * Resolution"), composed once for both. What cannot be read fails where it is met, so that a record
 * without it can still be read.
 */
final class Resolution {
  /** Reads a value. */
  interface ValueReader extends Function<BinaryInput, @Nullable Object> {}

  private Resolution() {}

  /** A reader of records of a type that were written with this schema. */
  static <T extends WireRecord> Function<BinaryInput, T> of(Structure written, RecordType<T> read) {
    if (written.equals(read.shape())) {
      return read::read;
    }
    return record(written, read);
  }

  private static <T extends WireRecord> Function<BinaryInput, T> record(
      Structure written, RecordType<T> read) {
    List<Field> fields = read.shape().fields();
    ValueReader[] steps = new ValueReader[written.fields().size()];
    int[] places = new int[steps.length];
    boolean[] isWritten = new boolean[fields.size()];
    for (int i = 0; i < steps.length; i++) {
      Field from = written.fields().get(i);
      places[i] = place(fields, from.name());
      if (places[i] < 0) {
        steps[i] = skipped(from.shape());
      } else {
        steps[i] = value(from.shape(), fields.get(places[i]).shape(), read);
        isWritten[places[i]] = true;
      }
    }
    for (int i = 0; i < isWritten.length; i++) {
      if (!isWritten[i] && !read.isOptional(i)) {
        String field = fields.get(i).name();
        return in -> {
          throw incompatible("%s has no %s, and must".formatted(written.name(), field));
        };
      }
    }
    return in -> {
      @Nullable Object[] values = read.defaults();
      for (int i = 0; i < steps.length; i++) {
        Object value = steps[i].apply(in);
        if (places[i] >= 0) {
          values[places[i]] = value;
        }
      }
      return read.make(values);
    };
  }

  private static ValueReader skipped(Shape written) {
    Consumer<BinaryInput> skip = Skipping.of(written);
    return in -> {
      skip.accept(in);
      return null;
    };
  }

  private static int place(List<Field> fields, String name) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  private static ValueReader value(Shape written, Shape read, RecordType<?> of) {
    if (written instanceof Union union) {
      List<ValueReader> branches = new ArrayList<>();
      union.branches().forEach(branch -> branches.add(value(branch, read, of)));
      return in -> branches.get(in.readIndex(branches.size())).apply(in);
    }
    ValueReader found =
        read instanceof Union union ? branch(written, union, of) : plain(written, read, of);
    return found != null
        ? found
        : in -> {
          throw incompatible("%s cannot be read as %s".formatted(text(written), text(read)));
        };
  }

  /** The first branch that is of the same type, or else the first that it can be read as. */
  private static @Nullable ValueReader branch(Shape written, Union read, RecordType<?> of) {
    for (Shape branch : read.branches()) {
      if (isOfSameType(written, branch)) {
        return plain(written, branch, of);
      }
    }
    for (Shape branch : read.branches()) {
      ValueReader found = plain(written, branch, of);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static boolean isOfSameType(Shape written, Shape read) {
    if (written instanceof Structure structure) {
      return read instanceof Structure other && other.name().equals(structure.name());
    }
    if (written instanceof Enumeration symbols) {
      return read instanceof Enumeration other && other.name().equals(symbols.name());
    }
    return written instanceof Primitive ? written == read : written.getClass() == read.getClass();
  }

  /** Null where the one cannot be read as the other. */
  private static @Nullable ValueReader plain(Shape written, Shape read, RecordType<?> of) {
    if (read instanceof Primitive primitive) {
      return written instanceof Primitive from ? primitive(from, primitive) : null;
    }
    if (read instanceof ListOf list && written instanceof ListOf from) {
      ValueReader items = value(from.items(), list.items(), of);
      int leastBytes = Skipping.hasNoBytes(from.items()) ? 0 : 1;
      return in -> in.readList(leastBytes, items);
    }
    if (read instanceof MapOf map && written instanceof MapOf from) {
      ValueReader values = value(from.values(), map.values(), of);
      return in -> in.readMap(values);
    }
    if (!isOfSameType(written, read)) {
      return null;
    }
    if (read instanceof Enumeration && written instanceof Enumeration from) {
      return enumeration(from, of.enumeration(from.name()));
    }
    return read instanceof Structure && written instanceof Structure from
        ? record(from, of.record(from.name()))::apply
        : null;
  }

  private static ValueReader enumeration(Enumeration written, EnumType<?> read) {
    List<@Nullable Object> constants = new ArrayList<>();
    written.symbols().forEach(symbol -> constants.add(read.constant(symbol)));
    return in -> {
      int index = in.readIndex(constants.size());
      Object constant = constants.get(index);
      if (constant == null) {
        throw incompatible(
            "%s has no %s here".formatted(written.name(), written.symbols().get(index)));
      }
      return constant;
    };
  }

  private static @Nullable ValueReader primitive(Primitive written, Primitive read) {
    return switch (read) {
      case NULL -> written == Primitive.NULL ? in -> null : null;
      case BOOLEAN -> written == Primitive.BOOLEAN ? BinaryInput::readBoolean : null;
      case INT -> written == Primitive.INT ? BinaryInput::readInt : null;
      case LONG ->
          switch (written) {
            case INT -> in -> (long) in.readInt();
            case LONG -> BinaryInput::readLong;
            default -> null;
          };
      case FLOAT ->
          switch (written) {
            case INT -> in -> (float) in.readInt();
            case LONG -> in -> (float) in.readLong();
            case FLOAT -> BinaryInput::readFloat;
            default -> null;
          };
      case DOUBLE ->
          switch (written) {
            case INT -> in -> (double) in.readInt();
            case LONG -> in -> (double) in.readLong();
            case FLOAT -> in -> (double) in.readFloat();
            case DOUBLE -> BinaryInput::readDouble;
            default -> null;
          };
      case BYTES -> isText(written) ? BinaryInput::readBytes : null;
      case STRING -> isText(written) ? BinaryInput::readString : null;
    };
  }

  /** Strings and bytes are written alike. */
  private static boolean isText(Primitive written) {
    return written == Primitive.BYTES || written == Primitive.STRING;
  }

  private static String text(Shape shape) {
    if (shape instanceof Structure structure) {
      return structure.name();
    }
    return shape instanceof Enumeration symbols ? symbols.name() : shape.text();
  }

  private static IncompatibleSchemaException incompatible(String message) {
    return new IncompatibleSchemaException(message);
  }
}
