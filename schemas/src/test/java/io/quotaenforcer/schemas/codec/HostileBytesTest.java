package io.quotaenforcer.schemas.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.schemas.avro.WireRecord;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever the bytes, decoding returns a record or throws a {@link CodecException}. The last seed
 * is a new one in each run; {@code -Dseed=N} repeats it.
 */
class HostileBytesTest {
  private static final int TRIES = 5_000;

  /** Lengths and counts as Avro writes them: 2^31 - 1, 2^35, the least long, and -2^31. */
  private static final byte[][] HUGE = {
    HexFormat.of().parseHex("feffffff0f"),
    HexFormat.of().parseHex("808080808002"),
    HexFormat.of().parseHex("ffffffffffffffffff01"),
    HexFormat.of().parseHex("ffffffff0f"),
  };

  private final RecordCodec<WireRecord> plain = RecordTypes.codecOfAll(Codecs.withoutRegistry());
  private final RecordCodec<WireRecord> registered =
      RecordTypes.codecOfAll(Codecs.with(new StubRegistry()));

  static LongStream seeds() {
    return LongStream.concat(
        LongStream.rangeClosed(1, 8), LongStream.of(Long.getLong("seed", System.nanoTime())));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void randomBytes_areRefused(long seed) {
    Seeded.checkSeed(
        seed,
        random -> {
          for (int i = 0; i < TRIES; i++) {
            byte[] bytes = new byte[random.nextInt(64)];
            random.nextBytes(bytes);
            if (bytes.length > 1 && random.nextBoolean()) {
              bytes[0] = random.nextBoolean() ? (byte) 0xC3 : 0;
              bytes[1] = 1;
            }
            decodesOrRefuses(plain, bytes, seed);
            decodesOrRefuses(registered, bytes, seed);
          }
        });
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void mutatedRecord_isReadOrRefused(long seed) {
    Seeded.checkSeed(
        seed,
        random -> {
          RandomRecords records = new RandomRecords(seed);
          for (int i = 0; i < TRIES; i++) {
            RecordCodec<WireRecord> codec = random.nextBoolean() ? plain : registered;
            byte[] bytes = codec.encode(records.next());
            for (int left = 1 + random.nextInt(3); left > 0; left--) {
              bytes = mutate(bytes, random);
            }
            decodesOrRefuses(codec, bytes, seed);
          }
        });
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void truncatedRecord_isRefused(long seed) {
    Seeded.checkSeed(
        seed,
        random -> {
          WireRecord record = new RandomRecords(seed).next();
          byte[] bytes = plain.encode(record);
          for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThat(decodesOrRefuses(plain, cut, seed))
                .as("seed=%d, length=%d", seed, length)
                .isFalse();
          }
          byte[] extended = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(20));
          assertThat(decodesOrRefuses(plain, extended, seed))
              .as("seed=%d, extended", seed)
              .isFalse();
        });
  }

  @Test
  void hugeLengthAnywhere_allocatesNothingLarge() {
    for (long seed = 0; seed < 50; seed++) {
      byte[] bytes = plain.encode(new RandomRecords(seed).next());
      for (int at = WireFormat.SINGLE_OBJECT_HEADER; at < Math.min(bytes.length, 200); at++) {
        for (byte[] huge : HUGE) {
          decodesOrRefuses(plain, replace(bytes, at, huge), seed);
        }
      }
    }
  }

  private static boolean decodesOrRefuses(RecordCodec<WireRecord> codec, byte[] bytes, long seed) {
    try {
      codec.decode(bytes);
      return true;
    } catch (CodecException e) {
      return false;
    } catch (Throwable e) {
      return fail("seed=%d, bytes=%s".formatted(seed, HexFormat.of().formatHex(bytes)), e);
    }
  }

  private static byte[] mutate(byte[] bytes, SplittableRandom random) {
    int at =
        random.nextInt(Math.min(bytes.length, WireFormat.SINGLE_OBJECT_HEADER), bytes.length + 1);
    return switch (random.nextInt(4)) {
      case 0 -> Arrays.copyOf(bytes, at);
      case 1 -> replace(bytes, at, HUGE[random.nextInt(HUGE.length)]);
      case 2 -> replace(bytes, at, new byte[] {(byte) random.nextInt()});
      default -> flip(bytes, random);
    };
  }

  private static byte[] flip(byte[] bytes, SplittableRandom random) {
    byte[] flipped = bytes.clone();
    flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
    return flipped;
  }

  private static byte[] replace(byte[] bytes, int at, byte[] by) {
    byte[] replaced = Arrays.copyOf(bytes, Math.max(bytes.length, at + by.length));
    System.arraycopy(by, 0, replaced, at, by.length);
    return replaced;
  }
}
