package io.quotaenforcer.gateway.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The answers of Envoy's own service, expected of this one. */
class TheirAnswersTest {
  @TempDir Path folder;

  static List<AnswerTable.Case> cases() {
    return AnswerTable.read("/envoy/their-answers.yaml");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void answers_areTheirs_orDifferByChoice(AnswerTable.Case one) {
    Served served = new Served(Served.load(folder, one.files()), one.has("headers"), one.late());
    List<String> answers = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (AnswerTable.Step step : one.steps()) {
      served.advance(step.after());
      for (int i = 1; i < step.times(); i++) {
        served.answer(step.ask());
      }
      answers.add(step.ask() + " -> " + served.answer(step.ask()));
      expected.add(step.ask() + " -> " + step.expected());
    }
    assertThat(answers).containsExactlyElementsOf(expected);
  }

  @Test
  void metadata_isThatOfTheLimitsThatHaveRoom() {
    AnswerTable.Case one = cases().stream().filter(each -> each.has("metadata")).findAny().get();
    Served served = new Served(Served.load(folder, one.files()), false, Set.of());
    for (AnswerTable.Step step : one.steps()) {
      RateLimitResponse response = served.decide(RlsText.request(step.ask()));
      assertThat(RlsText.plain(response.getDynamicMetadata()))
          .as(step.ask())
          .isEqualTo(step.metadata());
    }
  }

  @Test
  void answers_thatDiffer_sayWhy_andAreFew() {
    List<AnswerTable.Step> steps = cases().stream().flatMap(one -> one.steps().stream()).toList();
    List<AnswerTable.Step> different = steps.stream().filter(AnswerTable.Step::differs).toList();
    System.out.printf(
        "%d configurations, %d answers, of which %d differ%n",
        cases().size(), steps.size(), different.size());
    assertThat(different)
        .allSatisfy(
            step -> {
              assertThat(step.fields().get("because")).isNotNull();
              assertThat(step.fields().get("ours")).isNotEqualTo(step.fields().get("theirs"));
            });
    assertThat(steps).hasSizeGreaterThan(150);
    assertThat(different.size()).isLessThan(steps.size() / 5);
  }
}
