package io.quotaenforcer.simulation.explore;

import io.quotaenforcer.core.Kept;
import io.quotaenforcer.core.ledger.Headroom;
import io.quotaenforcer.core.ledger.LedgerShare;
import io.quotaenforcer.core.ledger.PartitionTime;
import io.quotaenforcer.core.match.MatchIndex;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * 128 bits of a mutable object's whole state. Every field of every reachable object is read,
 * including any added later, so that none can be forgotten; unknown classes of the JDK are refused.
 *
 * <p>Left out, since they say nothing of the state: positions of iterators, functions, thread
 * locals, indices derived from the rules, and values attached to a request.
 *
 * <p>Transaction numbers count only as committed or not: states that differ in the number of
 * earlier commits are the same.
 */
record Fingerprint(long high, long low) {
  /** For threads that explore at the same time. */
  private static final ClassValue<Shape> SHAPES =
      new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
          return shape(type);
        }
      };

  /**
   * Access to the objects of a class.
   *
   * @param name hash of the class's name
   * @param isValue whether equal ones are the same, so that it says nothing where one is shared
   */
  private record Shape(int name, Field[] fields, boolean isValue) {}

  /**
   * Reads an object.
   *
   * @param constants shared by all states, and not looked into
   * @param commit number of the transaction that is being written
   */
  static Fingerprint of(@Nullable Object state, List<?> constants, long commit) {
    Reader reader = new Reader(commit);
    constants.forEach(reader::know);
    reader.read(state);
    return new Fingerprint(reader.high, reader.low);
  }

  private static final class Reader {
    private final IdentityHashMap<Object, Integer> seen = new IdentityHashMap<>();
    private final long commit;
    private long high = 0x9E3779B97F4A7C15L;
    private long low = 0xC2B2AE3D27D4EB4FL;

    Reader(long commit) {
      this.commit = commit;
    }

    void know(Object constant) {
      seen.put(constant, seen.size());
    }

    void read(@Nullable Object value) {
      if (value == null || isNoState(value)) {
        add(1);
      } else if (value instanceof String text) {
        add(text);
      } else if (value instanceof Double number) {
        add(Double.doubleToLongBits(number));
      } else if (value instanceof Number number) {
        // Including the atomic numbers.
        add(number.longValue());
      } else if (value instanceof Boolean flag) {
        add(flag ? 3 : 2);
      } else if (value instanceof AtomicBoolean flag) {
        add(flag.get() ? 3 : 2);
      } else if (value instanceof Enum<?> constant) {
        add(constant.ordinal());
      } else if (readNumbers(value)) {
        return;
      } else if (value instanceof Headroom headroom) {
        readHeadroom(headroom);
      } else if (!readMany(value)) {
        readObject(value);
      }
    }

    private boolean readNumbers(Object value) {
      LongStream numbers =
          value instanceof long[] longs
              ? LongStream.of(longs)
              : value instanceof int[] ints
                  ? IntStream.of(ints).asLongStream()
                  : value instanceof AtomicLongArray atomic
                      ? IntStream.range(0, atomic.length()).mapToLong(atomic::get)
                      : value instanceof boolean[] flags
                          ? IntStream.range(0, flags.length).mapToLong(i -> flags[i] ? 1 : 0)
                          : null;
      if (numbers == null) {
        return false;
      }
      long[] words = numbers.toArray();
      add(words.length);
      for (long word : words) {
        add(word);
      }
      return true;
    }

    private static boolean isNoState(Object value) {
      return value instanceof Iterator<?>
          || value instanceof Function<?, ?>
          || value instanceof ThreadLocal<?>
          || value instanceof MatchIndex<?>
          || value instanceof Kept;
    }

    private boolean readMany(Object value) {
      if (value instanceof Map<?, ?> map) {
        add(map.size());
        map.forEach(
            (key, each) -> {
              read(key);
              read(each);
            });
      } else if (value instanceof Collection<?> many) {
        add(many.size());
        many.forEach(this::read);
      } else if (value instanceof Object[] many) {
        add(many.length);
        for (Object each : many) {
          read(each);
        }
      } else if (value instanceof Optional<?> optional) {
        read(optional.orElse(null));
      } else if (value instanceof OptionalLong optional) {
        add(optional.isPresent() ? 1 : 0);
        add(optional.orElse(0));
      } else if (value instanceof AtomicReference<?> reference) {
        read(reference.get());
      } else {
        return false;
      }
      return true;
    }

    private void readObject(Object value) {
      Shape shape = SHAPES.get(value.getClass());
      Integer before = seen.get(value);
      if (before != null) {
        add(before);
        return;
      }
      if (!shape.isValue) {
        seen.put(value, seen.size());
      }
      add(shape.name);
      readFields(value, shape);
    }

    private void readHeadroom(Headroom headroom) {
      boolean committed = headroom.pendingCommit() < commit;
      add(headroom.windowStartNanos());
      add(committed ? headroom.total() : headroom.ready());
      add(committed ? 0 : headroom.pending());
    }

    private void readFields(Object value, Shape shape) {
      try {
        for (Field field : shape.fields) {
          boolean names =
              (value instanceof PartitionTime && field.getName().equals("pendingCommit"))
                  || (value instanceof LedgerShare && field.getName().equals("offeredCommit"));
          if (names) {
            add(field.getLong(value) < commit ? 1 : 0);
          } else {
            read(field.get(value));
          }
        }
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }

    private void add(String text) {
      add(text.length());
      add(text.hashCode());
    }

    private void add(long word) {
      high = Hash.mix(high ^ word);
      low = Hash.mix(low + Long.rotateLeft(word, 23) * 0xD6E8FEB86659FD93L);
    }
  }

  private static Shape shape(Class<?> type) {
    if (!type.getName().startsWith("io.quotaenforcer.")) {
      throw new IllegalStateException("must be a class that can be read: " + type);
    }
    List<Field> fields = new ArrayList<>();
    boolean isValue = false;
    for (Class<?> each = type;
        each != Object.class && each != Record.class;
        each = each.getSuperclass()) {
      for (Field field : each.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          field.setAccessible(true);
          fields.add(field);
        }
      }
      isValue |=
          Arrays.stream(each.getDeclaredMethods())
              .anyMatch(method -> method.getName().equals("equals"));
    }
    return new Shape(type.getName().hashCode(), fields.toArray(new Field[0]), isValue);
  }
}
