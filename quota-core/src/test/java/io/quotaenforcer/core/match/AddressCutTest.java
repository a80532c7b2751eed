package io.quotaenforcer.core.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressCutTest {
  private static final AddressCut CUT = new AddressCut(24, 64);

  @ParameterizedTest
  @CsvSource({
    "203.0.113.7, 203.0.113.0/24",
    "::ffff:203.0.113.7, 203.0.113.0/24",
    "::FFFF:cb00:7107, 203.0.113.0/24",
    "2001:DB8:0:0:1:2:3:4, 2001:db8::/64",
    "2001:db8:0:1::1, 2001:db8:0:1::/64",
    "::1, ::/64",
    "203.0.113.0/24, 203.0.113.0/24",
    "203.0.113.7:443, 203.0.113.7:443",
    "[::1], [::1]",
    "fe80::1%eth0, fe80::1%eth0",
    "unknown, unknown",
    "'', ''"
  })
  void of_value_isTheNetworkOfAnAddress_elseTheValue(String value, String part) {
    assertThat(CUT.of(value)).isEqualTo(part);
    assertThat(CUT.of(part)).isEqualTo(part);
  }

  @Test
  void of_wholeAddress_isItsOneSpelling() {
    assertThat(AddressCut.WHOLE.of("::ffff:10.0.0.1")).isEqualTo("10.0.0.1");
    assertThat(AddressCut.WHOLE.of("2001:0DB8::0001")).isEqualTo("2001:db8::1");
  }

  @Test
  void constructor_lengthThatNoNetworkHas_isRefused() {
    assertThatThrownBy(() -> new AddressCut(0, 64))
        .hasMessage("must be between 1 and 32: ipv4Prefix=0");
    assertThatThrownBy(() -> new AddressCut(33, 64))
        .hasMessage("must be between 1 and 32: ipv4Prefix=33");
    assertThatThrownBy(() -> new AddressCut(24, 129))
        .hasMessage("must be between 1 and 128: ipv6Prefix=129");
  }
}
