package io.quotaenforcer.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.ThrottledException;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.spring.Quota;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class QuotaMethodTest {
  private static final String RULES =
      """
      domain: shop
      rules:
        - {id: orders, match: {user: "*"}, key: [user], limit: {permits: 2, per: 1d, algorithm: fixed-window}}
        - {id: pairs, match: {user: "*"}, key: [user, item], limit: {permits: 1, per: 1d, algorithm: fixed-window}}
        - {id: total, match: {user: "*"}, key: [], limit: {permits: 3, per: 1d, algorithm: fixed-window}}
      """;

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(Ours.all())
          .withBean(Admission.class, () -> Ours.admission(RULES))
          .withBean(Orders.class)
          .withBean(Reports.class)
          .withBean("region", String.class, () -> "north");

  record User(String id) {}

  static class Orders {
    private final AtomicInteger runs = new AtomicInteger();

    int runs() {
      return runs.get();
    }

    @Quota(value = "shop/orders", key = "#user.id")
    public String place(User user) {
      return "order " + runs.incrementAndGet();
    }

    @Quota(
        value = "shop/pairs",
        key = {"#p0", "@region + #item.length()"})
    String place(String user, String item) {
      return user + " " + item;
    }

    @Quota(value = "shop/total", cost = "#items * 2")
    public long bulk(int items) {
      return items;
    }

    @Quota(value = "shop/orders", key = "#user")
    public CompletionStage<String> later(String user) {
      return CompletableFuture.completedFuture("order " + runs.incrementAndGet());
    }

    @Quota(value = "shop/orders", key = "#user")
    public Mono<Integer> mono(String user) {
      return Mono.just(runs.incrementAndGet());
    }

    @Quota(value = "shop/orders", key = "#user")
    public Flux<Integer> flux(String user) {
      return Flux.just(runs.incrementAndGet(), 0);
    }

    @Quota("shop/mistyped")
    public String mistyped() {
      return "ran";
    }

    @Quota(value = "shop/orders", key = "#nobody.id")
    public String failing() {
      return "ran";
    }

    public String unlimited() {
      return "ran";
    }
  }

  @Quota(value = "shop/orders", key = "target.region")
  static class Reports {
    public final String region = "north";

    @Quota("shop/total")
    public String total() {
      return "ran";
    }

    public String one() {
      return "ran";
    }

    String internal() {
      return "ran";
    }
  }

  @Test
  void call_isDecidedByItsRuleAndKey_andDoesNotRunIfRefused() {
    with(
        orders -> {
          assertThat(orders.place(new User("a"))).isEqualTo("order 1");
          assertThat(orders.place(new User("a"))).isEqualTo("order 2");
          assertThatThrownBy(() -> orders.place(new User("a")))
              .isInstanceOfSatisfying(
                  ThrottledException.class,
                  e ->
                      assertThat(e.decision().rule().map(RuleDecision::quotaKey))
                          .hasValueSatisfying(key -> assertThat(key).hasToString("shop/orders/a")));
          assertThat(orders.place(new User("b"))).isEqualTo("order 3");
          assertThat(orders.unlimited()).isEqualTo("ran");
        });
  }

  @Test
  void key_ofSeveralExpressions_andOfNull_isOne() {
    with(
        orders -> {
          orders.place("a", "cup");
          orders.place("a", "plate");
          assertThatThrownBy(() -> orders.place("a", "mug")).isInstanceOf(ThrottledException.class);
          orders.place(new User(null));
          orders.place(new User(""));
          assertThatThrownBy(() -> orders.place(new User(null)))
              .isInstanceOf(ThrottledException.class);
        });
  }

  @Test
  void cost_isWhatItsExpressionSays() {
    with(
        orders -> {
          assertThatThrownBy(() -> orders.bulk(2)).isInstanceOf(ThrottledException.class);
          assertThat(orders.bulk(1)).isEqualTo(1);
          assertThatThrownBy(() -> orders.bulk(1)).isInstanceOf(ThrottledException.class);
        });
  }

  @Test
  void stage_isDecidedWhenCalled_andFailsIfRefused() {
    with(
        orders -> {
          orders.later("a");
          orders.later("a");
          assertThat(orders.later("a"))
              .failsWithin(Duration.ZERO)
              .withThrowableThat()
              .withCauseInstanceOf(ThrottledException.class);
          assertThat(orders.runs()).isEqualTo(2);
        });
  }

  @Test
  void publisher_isDecidedAndRun_eachTimeItIsSubscribedTo() {
    with(
        orders -> {
          Mono<Integer> mono = orders.mono("a");
          Flux<Integer> flux = orders.flux("a");
          assertThat(orders.runs()).isEqualTo(0);
          assertThat(mono.block()).isEqualTo(1);
          assertThat(flux.collectList().block()).containsExactly(2, 0);
          assertThatThrownBy(mono::block).isInstanceOf(ThrottledException.class);
          assertThatThrownBy(flux::blockLast).isInstanceOf(ThrottledException.class);
          assertThat(orders.runs()).isEqualTo(2);
        });
  }

  @Test
  void annotationOfAClass_isForItsPublicMethods_andTheirOwnGoesBefore() {
    runner.run(
        context -> {
          Reports reports = context.getBean(Reports.class);
          reports.one();
          reports.one();
          assertThatThrownBy(reports::one).isInstanceOf(ThrottledException.class);
          assertThat(reports.internal()).isEqualTo("ran");
          assertThat(reports.total()).isEqualTo("ran");
          assertThat(reports).hasSameHashCodeAs(reports);
          assertThat(reports.toString()).isNotEmpty();
        });
  }

  @Test
  void call_thatCannotBeDecided_runs_orIsRefusedIfTheServiceWantsThat() {
    with(
        orders -> {
          assertThat(orders.mistyped()).isEqualTo("ran");
          assertThat(orders.failing()).isEqualTo("ran");
        });
    runner
        .withPropertyValues("quota.on-failure=refuse")
        .run(
            context -> {
              Orders orders = context.getBean(Orders.class);
              assertThatThrownBy(orders::mistyped)
                  .isInstanceOf(ThrottledException.class)
                  .hasMessageContaining("not known");
              assertThatThrownBy(orders::failing).isInstanceOf(ThrottledException.class);
            });
  }

  @Test
  void disabled_callsRun() {
    runner
        .withPropertyValues("quota.enabled=false")
        .run(
            context -> {
              for (int i = 0; i < 5; i++) {
                context.getBean(Orders.class).place(new User("a"));
              }
            });
  }

  private void with(Consumer<Orders> test) {
    runner.run(context -> test.accept(context.getBean(Orders.class)));
  }
}
