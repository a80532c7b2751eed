package io.quotaenforcer.schemas.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.fail;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.schemas.QuotaRule;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of schemas, from anybody. */
class ShapeTest {
  private static final String TEXT = QuotaRule.TYPE.shape().text();
  private static final String EMPTY = "{\"name\":\"E\",\"type\":\"record\",\"fields\":[]}";
  private static final String PIECES = "\"{}[],:nametypefieldsitems09\\ \n\u2603";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "long",
        "\"long",
        "\"long\" ",
        "\"nothing\"",
        "[\"long\"",
        "[\"long\",]",
        "{\"type\":\"long\"}",
        "{\"type\":\"set\",\"values\":\"long\"}",
        "{\"name\":\"A\",\"type\":\"record\",\"fields\":[{\"name\":\"a\",\"type\":\"A\"}]}",
        "{\"name\":\"A\",\"type\":\"record\",\"fields\":[{\"name\":\"a b\",\"type\":\"long\"}]}",
        "{\"name\":\"\",\"type\":\"enum\",\"symbols\":[\"A\"]}",
        "{\"name\":\"A\",\"type\":\"fixed\",\"size\":-1}",
        "{\"name\":\"A\",\"type\":\"fixed\",\"size\":99999999999}",
        "{\"name\":\"A\",\"type\":\"fixed\",\"size\":",
        "{\"type\":\"record\",\"name\":\"A\",\"fields\":[]}",
      })
  void textThatIsNotCanonical_isRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> Shape.parse(text));
  }

  @Test
  void fieldTwice_isRefused() {
    String twice =
        "{\"name\":\"A\",\"type\":\"record\",\"fields\":[{\"name\":\"a\",\"type\":\"long\"},"
            + "{\"name\":\"a\",\"type\":\"long\"}]}";
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shape.parse(twice))
        .withMessageContaining("each field once");
  }

  @Test
  void nesting_isBounded() {
    String deep = "{\"type\":\"array\",\"items\":".repeat(2_000) + "\"long\"" + "}".repeat(2_000);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shape.parse(deep))
        .withMessageContaining("nested");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a..b", ".a", "a.", "a.1", "1", "a-b", "a b", "\u00e4"})
  void nameThatIsNone_isRefused(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shape.parse(enumeration(name)))
        .withMessageContaining("must be a name");
  }

  @Test
  void longName_isRead() {
    String name = "a_1." + "B2.".repeat(20_000) + "c";
    assertThat(Shape.parse(enumeration(name)).text()).isEqualTo(enumeration(name));
  }

  private static String enumeration(String name) {
    return "{\"name\":\"%s\",\"type\":\"enum\",\"symbols\":[\"A\"]}".formatted(name);
  }

  /** Each record has the one before twice: what is read by it would be two to the fortieth. */
  @Test
  void partsOfParts_areBounded() {
    StringBuilder text = new StringBuilder("\"long\"");
    for (int i = 0; i < 40; i++) {
      text.insert(
          0,
          "{\"name\":\"R%d\",\"type\":\"record\",\"fields\":[{\"name\":\"a\",\"type\":"
              .formatted(i));
      String again = i == 0 ? "\"long\"" : "\"R%d\"".formatted(i - 1);
      text.append("},{\"name\":\"b\",\"type\":").append(again).append("}]}");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shape.parse(text.toString()))
        .withMessageContaining("parts");
  }

  static LongStream seeds() {
    return LongStream.concat(
        LongStream.rangeClosed(1, 5), LongStream.of(Long.getLong("seed", System.nanoTime())));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void mutatedText_isReadAsItStands_orRefused(long seed) {
    Seeded.checkSeed(
        seed,
        random -> {
          for (int i = 0; i < 2_000; i++) {
            StringBuilder text = new StringBuilder(TEXT);
            for (int left = 1 + random.nextInt(3); left > 0 && text.length() > 0; left--) {
              mutate(text, random);
            }
            try {
              assertThat(Shape.parse(text.toString()).text()).isEqualTo(text.toString());
            } catch (IllegalArgumentException expected) {
              assertThat(expected.getMessage()).isNotBlank();
            } catch (RuntimeException | StackOverflowError e) {
              fail("seed=%d: %s".formatted(seed, text), e);
            }
          }
        });
  }

  private static void mutate(StringBuilder text, SplittableRandom random) {
    int at = random.nextInt(text.length());
    switch (random.nextInt(4)) {
      case 0 -> text.deleteCharAt(at);
      case 1 -> text.insert(at, PIECES.charAt(random.nextInt(PIECES.length())));
      case 2 -> text.setLength(Math.max(1, at));
      default -> text.insert(at, text.substring(at, Math.min(text.length(), at + 40)));
    }
  }

  @Test
  void longOfMoreThan64Bits_isRefused() {
    byte[] most = {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1};
    byte[] more = {-1, -1, -1, -1, -1, -1, -1, -1, -1, 2};

    assertThat(new BinaryInput(most, 0).readLong()).isEqualTo(Long.MIN_VALUE);
    assertThatExceptionOfType(MalformedBytesException.class)
        .isThrownBy(() -> new BinaryInput(more, 0).readLong());
  }

  @Test
  void listOfNothings_isSteppedOver() {
    byte[] three = {6, 0, 42};
    for (String items : new String[] {"\"null\"", EMPTY}) {
      Shape list = Shape.parse("{\"type\":\"array\",\"items\":%s}".formatted(items));
      BinaryInput in = new BinaryInput(three, 0);
      Skipping.of(list).accept(in);
      assertThat(in.readLong()).isEqualTo(21);
    }
    BinaryInput in = new BinaryInput(new byte[] {5, 0, 4, 0, 42}, 0);
    Skipping.of(new Shape.ListOf(Shape.Primitive.NULL)).accept(in);
    assertThat(in.readLong()).isEqualTo(21);
  }

  /** Items of no bytes cost nobody more than the bytes that there are. */
  @Test
  void manyItemsWithoutBytes_areRefused() {
    BinaryOutput out = new BinaryOutput(new byte[0]);
    for (int i = 0; i < 100; i++) {
      out.writeLong(60);
    }
    byte[] bytes = out.toBytes();

    assertThatExceptionOfType(MalformedBytesException.class)
        .isThrownBy(() -> new BinaryInput(bytes, 0).readList(each -> 0));
    assertThatExceptionOfType(MalformedBytesException.class)
        .isThrownBy(() -> new BinaryInput(bytes, 0).readList(0, each -> 0));
  }

  @Test
  void itemsWithoutBytes_areRead_asManyAsThereAreBytesInAll() {
    byte[] threeOfFour = {6, 0, 42, 42};
    BinaryInput in = new BinaryInput(threeOfFour, 0);

    assertThat(in.readList(0, each -> 7)).containsExactly(7, 7, 7);
    assertThat(in.readLong()).isEqualTo(21);
    assertThatExceptionOfType(MalformedBytesException.class)
        .isThrownBy(() -> new BinaryInput(new byte[] {10, 0, 42, 42}, 0).readList(0, each -> 7));
    assertThatExceptionOfType(MalformedBytesException.class)
        .isThrownBy(() -> new BinaryInput(new byte[] {6, 0, 42}, 0).readList(each -> 7));
  }
}
