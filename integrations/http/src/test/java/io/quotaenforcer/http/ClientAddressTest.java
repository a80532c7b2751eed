package io.quotaenforcer.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientAddressTest {
  private static final String PROXY = "10.0.0.1";

  @Test
  void byDefault_whatIsForgedIsNotLookedAt() {
    assertThat(
            ClientAddress.ofConnection()
                .of(
                    Requests.from(
                        "192.0.2.7", "X-Forwarded-For: 1.1.1.1", "Forwarded: for=1.1.1.1")))
        .isEqualTo("192.0.2.7");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | 192.0.2.7                    | 192.0.2.7",
        "1 | 1.1.1.1, 192.0.2.7           | 192.0.2.7",
        "1 | \", 192.0.2.7                 | 192.0.2.7",
        "2 | 192.0.2.7, 10.0.0.2          | 192.0.2.7",
        "2 | 1.1.1.1, 192.0.2.7, 10.0.0.2 | 192.0.2.7",
        "2 | 10.0.0.2                     | 10.0.0.2",
        "1 | 192.0.2.7:4711               | 192.0.2.7",
        "1 | [2001:DB8::1]:4711           | 2001:db8::1",
        "1 | 2001:db8::1                  | 2001:db8::1",
        "1 | fe80::1%eth0                 | fe80::1",
        "1 | 1.1.1.1, unknown             | 10.0.0.1",
        "1 | 1.1.1.1,                     | 10.0.0.1",
        "2 | unknown, 10.0.0.2            | 10.0.0.2",
      })
  void forwardedFor_countsFromTheRight(int hops, String value, String address) {
    assertThat(
            ClientAddress.byForwardedFor(hops)
                .of(Requests.from(PROXY, "X-Forwarded-For: " + value)))
        .isEqualTo(address);
  }

  @Test
  void severalLines_areOneList_andNoneIsTheConnection() {
    ClientAddress two = ClientAddress.byForwardedFor(2);
    assertThat(
            two.of(
                Requests.from(
                    PROXY, "X-Forwarded-For: 1.1.1.1, 192.0.2.7", "X-Forwarded-For: 10.0.0.2")))
        .isEqualTo("192.0.2.7");
    assertThat(two.of(Requests.from(PROXY, "Forwarded: for=1.1.1.1"))).isEqualTo(PROXY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "for=192.0.2.7                                        | 192.0.2.7",
        "For=\"[2001:db8:cafe::17]:4711\"                     | 2001:db8:cafe::17",
        "for=1.1.1.1, proto=https; for = 192.0.2.7 ;by=10.0.0.1 | 192.0.2.7",
        "for=1.1.1.1, for=\"192.0.2.7:80\"                    | 192.0.2.7",
        "for=1.1.1.1, for=\"a,b;for=2.2.2.2\"                 | 10.0.0.1",
        "for=1.1.1.1, for=_hidden                             | 10.0.0.1",
        "for=1.1.1.1, for=unknown                             | 10.0.0.1",
        "for=1.1.1.1, proto=https                             | 10.0.0.1",
        "for=1.1.1.1, for=\"192.0.2.7                         | 10.0.0.1",
      })
  void forwarded_countsItsPairs(String value, String address) {
    assertThat(
            ClientAddress.byForwarded(1)
                .of(Requests.from(PROXY, "Forwarded: " + value, "X-Forwarded-For: 3.3.3.3")))
        .isEqualTo(address);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | a=\", for=192.0.2.7",
        "1 | for=6.6.6.6;a=\", for=192.0.2.7",
        "1 | for=6.6.6.6;a=\"\\, for=192.0.2.7",
        "1 | for=6.6.6.6;a=\", for=\"192.0.2.7:4711\"",
        "1 | for=6.6.6.6;a=\", for=192.0.2.7;host=\"a\\\", for=6.6.6.6;b\"",
        "2 | for=6.6.6.6;a=\", for=192.0.2.7, for=10.0.0.2",
        "2 | for=6.6.6.6;a=\", for=\"192.0.2.7:4711\", for=\"10.0.0.2:4711\"",
      })
  void quote_thatAClientLeavesOpen_hidesNothingThatProxiesAppend(int hops, String value) {
    assertThat(ClientAddress.byForwarded(hops).of(Requests.from(PROXY, "Forwarded: " + value)))
        .isEqualTo("192.0.2.7");
  }

  @Test
  void hops_fewerThanOne_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClientAddress.byForwardedFor(0))
        .withMessage("must be >= 1: hops=0");
  }
}
