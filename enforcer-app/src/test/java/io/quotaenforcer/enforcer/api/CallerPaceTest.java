package io.quotaenforcer.enforcer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CallerPaceTest {
  private final AtomicLong nanos = new AtomicLong();
  private final CallerPace pace = new CallerPace(5, nanos::get);

  private static InetAddress address(String text) throws UnknownHostException {
    return InetAddress.getByName(text);
  }

  private int admitted(String from) throws UnknownHostException {
    int admitted = 0;
    while (pace.admits(address(from))) {
      admitted++;
    }
    return admitted;
  }

  @Test
  void address_hasABurstAndThenItsPace() throws Exception {
    assertThat(admitted("192.0.2.1")).isEqualTo(10);
    assertThat(admitted("192.0.2.2")).isEqualTo(10);
    nanos.addAndGet(1_000_000_000L);
    assertThat(admitted("192.0.2.1")).isEqualTo(5);
  }

  @Test
  void network_isOneCaller() throws Exception {
    assertThat(admitted("2001:db8::1")).isEqualTo(10);
    assertThat(admitted("2001:db8::ffff:1")).isZero();
    assertThat(admitted("2001:db8:0:1::1")).isEqualTo(10);
  }

  @Test
  void addresses_thatAreRemembered_areBounded() throws Exception {
    for (int i = 0; i < 2 * CallerPace.MOST_ADDRESSES; i++) {
      pace.admits(address("10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255)));
    }
    assertThat(pace.addresses()).isEqualTo(CallerPace.MOST_ADDRESSES);
  }
}
