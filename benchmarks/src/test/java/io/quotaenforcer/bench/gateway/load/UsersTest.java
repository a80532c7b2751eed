package io.quotaenforcer.bench.gateway.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UsersTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 99, 10_001})
  void all_ask_andOneRequestInTwentyIsOfAFew(int paying) {
    Users users = new Users(paying);
    int[] asked = LongStream.range(0, 400_000).mapToInt(users::of).toArray();

    assertThat(Arrays.stream(asked).distinct().count()).isEqualTo(users.all());
    assertThat(Arrays.stream(asked).filter(user -> users.plan(user).equals("free")))
        .hasSize(20_000);
  }
}
