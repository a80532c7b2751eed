package io.quotaenforcer.schemas.codec;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Type;

/** Schemas that writers of other versions may have: the given one, changed here and there. */
final class OtherSchemas {
  private static final List<Type> PLAIN =
      List.of(
          Type.NULL,
          Type.BOOLEAN,
          Type.INT,
          Type.LONG,
          Type.FLOAT,
          Type.DOUBLE,
          Type.BYTES,
          Type.STRING);

  private final SplittableRandom random;
  private final Map<String, Schema> made = new HashMap<>();
  private int added;

  private OtherSchemas(SplittableRandom random) {
    this.random = random;
  }

  static Schema of(Schema schema, SplittableRandom random) {
    return new OtherSchemas(random).changed(schema);
  }

  private Schema changed(Schema schema) {
    return switch (schema.getType()) {
      case RECORD -> named(schema, this::record);
      case ENUM -> named(schema, this::symbols);
      case ARRAY -> Schema.createArray(changed(schema.getElementType()));
      case MAP -> Schema.createMap(changed(schema.getValueType()));
      case UNION -> union(schema);
      default -> plain(schema);
    };
  }

  private interface Change {
    Schema of(Schema schema);
  }

  private Schema named(Schema schema, Change change) {
    Schema known = made.get(schema.getFullName());
    if (known == null) {
      known = change.of(schema);
      made.put(schema.getFullName(), known);
    }
    return known;
  }

  private Schema record(Schema schema) {
    List<Schema.Field> fields = new ArrayList<>();
    for (Schema.Field field : schema.getFields()) {
      if (!isRare(30)) {
        fields.add(new Schema.Field(field.name(), changed(field.schema())));
      }
    }
    if (isRare(3)) {
      Schema any = any();
      fields.add(random.nextInt(fields.size() + 1), new Schema.Field("added" + added++, any));
    }
    if (isRare(6)) {
      Collections.shuffle(fields, new Random(random.nextLong()));
    }
    return Schema.createRecord(schema.getName(), null, schema.getNamespace(), false, fields);
  }

  private Schema any() {
    Schema plain = Schema.create(PLAIN.get(random.nextInt(PLAIN.size())));
    return switch (random.nextInt(5)) {
      case 0 -> Schema.createArray(Schema.create(Type.STRING));
      case 1 -> Schema.createMap(plain);
      case 2 -> Schema.createFixed("Fixed" + added++, null, null, 1 + random.nextInt(9));
      default -> plain;
    };
  }

  private Schema symbols(Schema schema) {
    List<String> symbols = new ArrayList<>(schema.getEnumSymbols());
    if (isRare(5)) {
      symbols.remove(random.nextInt(symbols.size()));
    }
    if (isRare(5) || symbols.isEmpty()) {
      symbols.add(random.nextInt(symbols.size() + 1), "NEW");
    }
    if (isRare(5)) {
      Collections.shuffle(symbols, new Random(random.nextLong()));
    }
    return Schema.createEnum(schema.getName(), null, schema.getNamespace(), symbols);
  }

  private Schema union(Schema schema) {
    List<Schema> branches = new ArrayList<>();
    for (Schema branch : schema.getTypes()) {
      Schema changed = changed(branch);
      branches.add(changed.getType() == Type.UNION ? branch : changed);
    }
    if (isRare(4)) {
      return branches.get(random.nextInt(branches.size()));
    }
    if (isRare(4)) {
      Collections.reverse(branches);
    }
    boolean differ =
        branches.stream().map(Schema::getFullName).distinct().count() == branches.size();
    return differ ? Schema.createUnion(branches) : schema;
  }

  private Schema plain(Schema schema) {
    if (isRare(15)) {
      return Schema.create(PLAIN.get(random.nextInt(PLAIN.size())));
    }
    return isRare(15) && schema.getType() != Type.NULL
        ? Schema.createUnion(Schema.create(Type.NULL), schema)
        : schema;
  }

  private boolean isRare(int in) {
    return random.nextInt(in) == 0;
  }
}
