package io.quotaenforcer.schemas.avro;

import io.quotaenforcer.schemas.avro.Shape.Enumeration;
import io.quotaenforcer.schemas.avro.Shape.Fixed;
import io.quotaenforcer.schemas.avro.Shape.ListOf;
import io.quotaenforcer.schemas.avro.Shape.MapOf;
import io.quotaenforcer.schemas.avro.Shape.Primitive;
import io.quotaenforcer.schemas.avro.Shape.Structure;
import io.quotaenforcer.schemas.avro.Shape.Union;
import java.util.List;
import java.util.function.Consumer;

/** Steps over what a writer wrote and nobody reads. */
final class Skipping {
  private Skipping() {}

  static Consumer<BinaryInput> of(Shape shape) {
    if (shape instanceof Primitive primitive) {
      return primitive(primitive);
    }
    if (shape instanceof ListOf list) {
      Consumer<BinaryInput> items = of(list.items());
      return hasNoBytes(list.items()) ? BinaryInput::skipNothing : in -> skipItems(in, items);
    }
    if (shape instanceof MapOf map) {
      Consumer<BinaryInput> key = BinaryInput::skipText;
      Consumer<BinaryInput> entry = key.andThen(of(map.values()));
      return in -> skipItems(in, entry);
    }
    if (shape instanceof Union union) {
      List<Consumer<BinaryInput>> branches = union.branches().stream().map(Skipping::of).toList();
      return in -> branches.get(in.readIndex(branches.size())).accept(in);
    }
    if (shape instanceof Enumeration symbols) {
      return in -> in.readIndex(symbols.symbols().size());
    }
    if (shape instanceof Fixed fixed) {
      return in -> in.skip(fixed.size());
    }
    List<Consumer<BinaryInput>> fields =
        ((Structure) shape).fields().stream().map(field -> of(field.shape())).toList();
    return in -> fields.forEach(field -> field.accept(in));
  }

  static boolean hasNoBytes(Shape shape) {
    if (shape instanceof Structure structure) {
      return structure.fields().stream().allMatch(field -> hasNoBytes(field.shape()));
    }
    return shape == Primitive.NULL || shape instanceof Fixed fixed && fixed.size() == 0;
  }

  private static void skipItems(BinaryInput in, Consumer<BinaryInput> item) {
    for (int block = in.readCount(); block > 0; block = in.readCount()) {
      for (int i = 0; i < block; i++) {
        item.accept(in);
      }
    }
  }

  private static Consumer<BinaryInput> primitive(Primitive primitive) {
    return switch (primitive) {
      case NULL -> in -> {};
      case BOOLEAN -> BinaryInput::readBoolean;
      case INT, LONG -> BinaryInput::readLong;
      case FLOAT -> BinaryInput::readFloat;
      case DOUBLE -> BinaryInput::readDouble;
      case BYTES, STRING -> BinaryInput::skipText;
    };
  }
}
