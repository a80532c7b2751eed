package io.quotaenforcer.core.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.message.DeferralInput.Cancel;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.core.message.DeferralInput.Expedite;
import io.quotaenforcer.core.message.DeferralInput.Inquiry;
import io.quotaenforcer.core.message.DeferralInput.Purge;
import io.quotaenforcer.core.message.DeferralInput.ReplayResult;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeferralInputTest {
  private static final QuotaKey KEY = QuotaKey.parse("posts/per-user/42");
  private static final ReplyTo REPLY = new ReplyTo("instance", 7, 3);
  private static final String LONGEST_ID = "i".repeat(DeferralInput.MAX_ID_CHARS);
  private static final String LONG_REASON = "r".repeat(DeferralInput.MAX_REASON_CHARS + 1);

  private static DeferredRequest deferred(String id, Map<String, String> headers, long deadline) {
    return new DeferredRequest(
        id,
        KEY,
        Request.of("user", "42"),
        Payload.EMPTY,
        headers,
        Priority.HIGH,
        deadline,
        1_000,
        REPLY);
  }

  static List<Arguments> byId() {
    return List.of(
        Arguments.of("request", (Function<String, Object>) id -> deferred(id, Map.of(), 0)),
        Arguments.of("inquiry", (Function<String, Object>) id -> new Inquiry(id, KEY, 1, REPLY)),
        Arguments.of(
            "result", (Function<String, Object>) id -> new ReplayResult(id, KEY, true, "", 1, 0)),
        Arguments.of("cancel", (Function<String, Object>) id -> new Cancel(id, KEY, "")),
        Arguments.of("expedite", (Function<String, Object>) id -> new Expedite(id, KEY)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("byId")
  void id_ofOneToAHundredCharacters_isTaken_othersAreRefused(
      String what, Function<String, Object> input) {
    assertThat(input.apply("i")).isNotNull();
    assertThat(input.apply(LONGEST_ID)).isNotNull();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> input.apply(""))
        .withMessage("must have 1 to 100 characters: id=");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> input.apply(LONGEST_ID + "i"))
        .withMessage("must have 1 to 100 characters: id=" + LONGEST_ID + "i");
  }

  @Test
  void reason_longerThanIsKept_isCut() {
    String kept = LONG_REASON.substring(1);

    assertThat(new ReplayResult("i", KEY, false, LONG_REASON, 1, 0).reason()).isEqualTo(kept);
    assertThat(new Cancel("i", KEY, LONG_REASON).reason()).isEqualTo(kept);
    assertThat(new Purge("posts/per-user", LONG_REASON).reason()).isEqualTo(kept);
    assertThat(new Cancel("i", KEY, kept).reason()).isEqualTo(kept);
    assertThat(new Cancel("i", KEY, "").reason()).isEmpty();
  }

  @Test
  void scope_longerThanAQuotaKeyCanBe_isRefusedAndNotRepeated() {
    String longest = "s".repeat(QuotaKey.MAX_TEXT_CHARS);
    assertThat(new Purge(longest, "").scope()).isEqualTo(longest);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Purge(longest + "s", ""))
        .withMessage("must have at most 65536 characters: scope has 65537");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 1_700_000_000_000L, DeferralInput.NEVER_MILLIS})
  void deadline_thatNanosecondsCanTell_isKept(long millis) {
    assertThat(deferred("i", Map.of(), millis).deadlineMillis()).isEqualTo(millis);
  }

  @ParameterizedTest
  @ValueSource(longs = {DeferralInput.NEVER_MILLIS + 1, Long.MAX_VALUE})
  void deadline_beyond_isNever(long millis) {
    DeferredRequest request = deferred("i", Map.of(), millis);

    assertThat(request.deadlineMillis()).isEqualTo(DeferralInput.NEVER_MILLIS);
    assertThat(request.deadlineMillis() * 1_000_000).as("in nanoseconds").isPositive();
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE})
  void deadline_beforeTimeBegan_isRefused(long millis) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> deferred("i", Map.of(), millis))
        .withMessage("must be >= 0: deadlineMillis=" + millis);
  }

  @Test
  void headers_thatChangeAfterwards_areKeptAsTheyWere() {
    Map<String, String> headers = new HashMap<>(Map.of("trace", "1"));
    DeferredRequest request = deferred("i", headers, 0);

    headers.put("trace", "2");

    assertThat(request.headers()).containsExactly(Map.entry("trace", "1"));
  }

  @Test
  void again_isTheSameRequest_withoutADeadlineAndForNobody() {
    DeferredRequest before = deferred("i", Map.of("trace", "1"), 5_000);

    DeferredRequest again = before.again();

    assertThat(again.deadlineMillis()).isZero();
    assertThat(again.replyTo()).isEqualTo(ReplyTo.NOBODY);
    assertThat(again.id()).isEqualTo(before.id());
    assertThat(again.quotaKey()).isEqualTo(before.quotaKey());
    assertThat(again.request()).isEqualTo(before.request());
    assertThat(again.payload()).isEqualTo(before.payload());
    assertThat(again.headers()).isEqualTo(before.headers());
    assertThat(again.priority()).isEqualTo(before.priority());
    assertThat(again.deferredMillis()).isEqualTo(before.deferredMillis());
    assertThat(again.again()).isEqualTo(again);
  }

  @Test
  void inquiry_withoutARelease_isAboutTheRequest() {
    assertThat(new Inquiry("i", KEY, 1, REPLY)).isEqualTo(new Inquiry("i", KEY, 1, REPLY, 0));
  }
}
