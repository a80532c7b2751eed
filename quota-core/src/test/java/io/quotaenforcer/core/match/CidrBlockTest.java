package io.quotaenforcer.core.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CidrBlockTest {

  @ParameterizedTest(name = "{0} contains {1}: {2}")
  @CsvSource({
    "10.0.0.0/8, 10.255.0.1, true",
    "10.0.0.0/8, 11.0.0.0, false",
    "10.9.8.7/8, 10.1.1.1, true",
    "10.0.0.0/9, 10.127.255.255, true",
    "10.0.0.0/9, 10.128.0.0, false",
    "10.0.0.1/32, 10.0.0.1, true",
    "10.0.0.1/32, 10.0.0.2, false",
    "0.0.0.0/0, 255.255.255.255, true",
    "0.0.0.0/0, ::1, false",
    "2001:db8::/32, 2001:db8:1::1, true",
    "2001:db8::/32, 2001:db9::1, false",
    "2001:db8::/33, 2001:db8:8000::, false",
    "::/0, 2001:db8::1, true",
    "::/0, 10.0.0.1, false",
    "::/0, ::ffff:10.0.0.1, false",
    "10.0.0.0/8, ::ffff:10.0.0.1, true",
    "::ffff:10.0.0.0/104, 10.1.2.3, true",
    "::ffff:10.0.0.0/104, ::ffff:11.0.0.1, false",
    "::ffff:0:0/96, 1.2.3.4, true",
    "10.0.0.0/8, '', false",
    "10.0.0.0/8, 10.0.0.1/8, false",
    "10.0.0.0/8, example.org, false"
  })
  void contains_address_asItsFirstBitsSay(String block, String address, boolean contained) {
    assertThat(CidrBlock.parse(block).contains(address)).isEqualTo(contained);
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0, must be address/prefix-length",
    "10.0.0/8, must begin with an IP address",
    "example.org/8, must begin with an IP address",
    "10.0.0.0/, must end with a prefix length",
    "10.0.0.0/+8, must end with a prefix length",
    "10.0.0.0/-1, must end with a prefix length",
    "10.0.0.0/8/8, must end with a prefix length",
    "10.0.0.0/\u0668, must end with a prefix length",
    "10.0.0.0/33, must have a prefix length of 0 to 32",
    "::/129, must have a prefix length of 0 to 128",
    "::ffff:10.0.0.0/8, must have a prefix length of 96 to 128",
    "::ffff:10.0.0.0/129, must have a prefix length of 96 to 128"
  })
  void parse_anythingElse_isRefused(String text, String message) {
    assertThatThrownBy(() -> CidrBlock.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message + ": cidr=" + text);
  }

  @Test
  void equals_sameText_isEqual() {
    CidrBlock block = CidrBlock.parse("10.0.0.0/8");
    assertThat(block).isEqualTo(CidrBlock.parse("10.0.0.0/8")).hasToString("10.0.0.0/8");
  }
}
