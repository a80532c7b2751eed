package io.quotaenforcer.core.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Networks, alone and looked up among many. */
class IpNetworkTest {

  @ParameterizedTest
  @CsvSource({
    "203.0.113.7, 203.0.113.7",
    "203.0.113.0/24, 203.0.113.0/24",
    "203.0.113.7/32, 203.0.113.7",
    "0.0.0.0/0, 0.0.0.0/0",
    "::ffff:203.0.113.0/120, 203.0.113.0/24",
    "::ffff:0:0/96, 0.0.0.0/0",
    "2001:DB8::/32, 2001:db8::/32",
    "::/0, ::/0",
    "::1/128, ::1"
  })
  void ofValue_addressOrNetwork_isWrittenInItsOneSpelling(String value, String text) {
    assertThat(IpNetwork.ofValue(value)).hasToString(text);
    assertThat(IpNetwork.ofValue(text)).isEqualTo(IpNetwork.ofValue(value));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/24",
        "203.0.113.0/",
        "203.0.113.0/33",
        "203.0.113.0/-1",
        "203.0.113.0/+24",
        "203.0.113.0/024x",
        "203.0.113.0/24/24",
        "203.0.113.1/24",
        "2001:db8::1/64",
        "2001:db8::/129",
        "::ffff:203.0.113.0/95",
        "::ffff:203.0.113.1/120",
        "example.org",
        "example.org/24"
      })
  void ofValue_anythingElse_isNoNetwork(String value) {
    assertThat(IpNetwork.ofValue(value)).isNull();
  }

  /** By whole numbers of the first bits: one is in another if they begin alike. */
  @Test
  void contains_anyTwoNetworks_asTheirFirstBitsSay() {
    Seeded.check(
        50_000,
        random -> {
          IpNetwork one = network(random);
          IpNetwork other = network(random);
          boolean expected =
              one.first().bits() == other.first().bits()
                  && other.length() >= one.length()
                  && bits(other)
                      .shiftRight(128 - one.length())
                      .equals(bits(one).shiftRight(128 - one.length()));
          assertThat(one.contains(other)).as("%s contains %s", one, other).isEqualTo(expected);
          assertThat(one.contains(one)).isTrue();
          if (one.contains(other) && other.contains(one)) {
            assertThat(one).isEqualTo(other);
          }
        });
  }

  @Test
  void toString_anyNetwork_isReadAgain() {
    Seeded.check(
        20_000,
        random -> {
          IpNetwork network = network(random);
          assertThat(IpNetwork.ofValue(network.toString())).isEqualTo(network);
        });
  }

  @Test
  void table_anyAddressAmongAnyNetworks_isInAllThatContainIt_longestFirst() {
    Seeded.check(
        3_000,
        random -> {
          Map<IpNetwork, String> networks = new HashMap<>();
          for (int i = random.nextInt(30); i > 0; i--) {
            IpNetwork network = network(random);
            networks.put(network, network.toString());
          }
          NetworkTable<String> table = new NetworkTable<>(networks);
          for (int i = 0; i < 20; i++) {
            IpNetwork asked = network(random);
            List<String> found = new ArrayList<>();
            for (int at = table.longest(asked); at >= 0; at = table.shorter(at)) {
              found.add(table.get(at));
            }
            assertThat(found)
                .as("%s in %s", asked, networks.keySet())
                .containsExactlyElementsOf(
                    networks.keySet().stream()
                        .filter(each -> each.contains(asked))
                        .sorted(Comparator.comparingInt(IpNetwork::length).reversed())
                        .map(networks::get)
                        .toList());
          }
        });
  }

  /** Those with the first bit set come after all others, though as numbers they are negative. */
  @Test
  void table_networksOfBothHalvesAndFamilies_areApart() {
    Map<IpNetwork, String> networks = new HashMap<>();
    for (String text :
        List.of("0.0.0.0/1", "128.0.0.0/1", "::/1", "8000::/1", "ffff::/16", "255.0.0.0/8")) {
      networks.put(Objects.requireNonNull(IpNetwork.ofValue(text)), text);
    }
    NetworkTable<String> table = new NetworkTable<>(networks);

    assertThat(found(table, "127.0.0.1")).containsExactly("0.0.0.0/1");
    assertThat(found(table, "128.0.0.1")).containsExactly("128.0.0.0/1");
    assertThat(found(table, "255.0.0.1")).containsExactly("255.0.0.0/8", "128.0.0.0/1");
    assertThat(found(table, "7fff::1")).containsExactly("::/1");
    assertThat(found(table, "ffff::1")).containsExactly("ffff::/16", "8000::/1");
  }

  /** A cut sends two addresses to one part exactly where they are in one network of that length. */
  @Test
  void cut_anyTwoAddresses_haveOnePartIfTheyAreInOneNetwork() {
    Seeded.check(
        20_000,
        random -> {
          AddressCut cut = new AddressCut(1 + random.nextInt(32), 1 + random.nextInt(128));
          IpAddress one = address(random);
          IpAddress other = address(random);
          int length = one.isIpv4() ? cut.ipv4Prefix() : cut.ipv6Prefix();
          boolean together = new IpNetwork(one.first(length), length).contains(whole(other));

          assertThat(cut.of(one.toString()).equals(cut.of(other.toString())))
              .as("%s and %s by %s", one, other, cut)
              .isEqualTo(together);
          assertThat(cut.of(cut.of(one.toString()))).isEqualTo(cut.of(one.toString()));
        });
  }

  private static List<String> found(NetworkTable<String> table, String address) {
    List<String> found = new ArrayList<>();
    IpNetwork asked = Objects.requireNonNull(IpNetwork.ofValue(address));
    for (int at = table.longest(asked); at >= 0; at = table.shorter(at)) {
      found.add(table.get(at));
    }
    return found;
  }

  private static IpNetwork whole(IpAddress address) {
    return new IpNetwork(address, address.bits());
  }

  private static BigInteger bits(IpNetwork network) {
    return new BigInteger(Long.toUnsignedString(network.first().high()))
        .shiftLeft(64)
        .or(new BigInteger(Long.toUnsignedString(network.first().low())));
  }

  private static IpNetwork network(SplittableRandom random) {
    IpAddress address = address(random);
    int length = random.nextInt(address.bits() + 1);
    return new IpNetwork(address.first(length), length);
  }

  /** Few different ones, so that networks contain each other. */
  private static IpAddress address(SplittableRandom random) {
    boolean ipv4 = random.nextBoolean();
    String text =
        ipv4
            ? "%d.%d.0.%d".formatted(128 * random.nextInt(2), random.nextInt(3), random.nextInt(3))
            : "%s:%d::%d"
                .formatted(
                    Seeded.oneOf(random, "2001", "8001", "ffff"),
                    random.nextInt(3),
                    random.nextInt(3));
    return Objects.requireNonNull(IpAddress.parse(text));
  }
}
