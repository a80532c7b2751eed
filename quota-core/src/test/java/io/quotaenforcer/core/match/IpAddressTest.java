package io.quotaenforcer.core.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0, 00000000",
    "255.255.255.255, ffffffff",
    "10.1.2.3, 0a010203",
    "::, 00000000000000000000000000000000",
    "::1, 00000000000000000000000000000001",
    "1::, 00010000000000000000000000000000",
    "2001:db8::8:800:200C:417A, 20010db80000000000080800200c417a",
    "1:2:3:4:5:6:7:8, 00010002000300040005000600070008",
    "1:2:3:4:5:6:7::, 00010002000300040005000600070000",
    "::2:3:4:5:6:7:8, 00000002000300040005000600070008",
    "::ffff:10.1.2.3, 0a010203",
    "::FFFF:a01:203, 0a010203",
    "0:0:0:0:0:ffff:10.1.2.3, 0a010203",
    "::10.1.2.3, 0000000000000000000000000a010203",
    "64:ff9b::10.1.2.3, 0064ff9b00000000000000000a010203",
    "1:2:3:4:5:6:1.2.3.4, 00010002000300040005000601020304"
  })
  void parse_address_givesItsBytes(String text, String hex) {
    assertThat(HexFormat.of().formatHex(bytes(text))).isEqualTo(hex);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "...",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.256",
        "1.2.3.-4",
        "1.2.3.+4",
        "1.2.3. 4",
        "01.2.3.4",
        "1.2.3.04",
        "0x1.2.3.4",
        "1.2.3.1000",
        "16909060",
        "localhost",
        "1.2.3.4\n",
        "\u0661.2.3.4",
        ":",
        ":::",
        "1::2::3",
        ":1::2",
        "1::2:",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8::",
        "::1:2:3:4:5:6:7:8",
        "12345::",
        "g::",
        "fe80::1%eth0",
        "[::1]",
        "1.2.3.4::",
        "1.2.3.4::1",
        "::1.2.3.4:5",
        "::1.2.3",
        "1:2:3:4:5:6:7:1.2.3.4",
        "::\uff11",
        "0000:0000:0000:0000:0000:ffff:255.255.255.2555"
      })
  void parse_anythingElse_isEmpty(String text) {
    assertThat(IpAddress.parse(text)).isNull();
  }

  @Test
  void parse_hostileText_neverThrowsAndNeverResolves() {
    Seeded.check(
        50_000,
        random -> {
          StringBuilder text = new StringBuilder();
          for (int i = random.nextInt(50); i > 0; i--) {
            text.append("::::....0129aFfg%/ ".charAt(random.nextInt(19)));
          }
          if (IpAddress.parse(text.toString()) != null) {
            assertThat(bytes(text.toString())).isEqualTo(platform(text.toString()));
          }
        });
  }

  @Test
  void parse_anyAddress_agreesWithThePlatform() {
    Seeded.check(
        2_000,
        random -> {
          byte[] bytes = new byte[random.nextBoolean() ? 4 : 16];
          for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (random.nextBoolean() ? 0 : random.nextInt(256));
          }
          String text = format(bytes);
          assertThat(bytes(text)).as(text).isEqualTo(platform(text));
          IpAddress address = Objects.requireNonNull(IpAddress.parse(text));
          assertThat(IpAddress.parse(address.toString())).isEqualTo(address);
        });
  }

  @ParameterizedTest
  @CsvSource({
    "255.0.10.1, 255.0.10.1",
    "::FFFF:a01:203, 10.1.2.3",
    "2001:DB8:0:0:0:0:0:1, 2001:db8::1",
    "0:0:0:0:0:0:0:0, ::",
    "1:0:0:0:0:0:0:0, 1::",
    "0:0:0:0:0:0:0:1, ::1",
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
    "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1"
  })
  void toString_address_isTheOneTextOfIt(String text, String canonical) {
    assertThat(IpAddress.parse(text)).hasToString(canonical);
  }

  private static byte[] bytes(String text) {
    IpAddress address = Objects.requireNonNull(IpAddress.parse(text));
    ByteBuffer bytes = ByteBuffer.allocate(16).putLong(address.high()).putLong(address.low());
    return Arrays.copyOf(bytes.array(), address.bits() / 8);
  }

  private static String format(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes).getHostAddress();
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  /** Only ever asked for text that has been recognised as an address. */
  private static byte[] platform(String address) {
    try {
      return InetAddress.getByName(address).getAddress();
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }
}
