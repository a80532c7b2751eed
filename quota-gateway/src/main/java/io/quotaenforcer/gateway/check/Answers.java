package io.quotaenforcer.gateway.check;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import io.quotaenforcer.http.HttpAnswer;
import io.quotaenforcer.http.Verdict;

/** Verdicts as answers of the gateway. */
final class Answers {
  /** The status that the rule says, where the answer must have another one. */
  static final String RULE_STATUS = "x-quota-status";

  private Answers() {}

  /** An answer without body where the request may run, otherwise the refusal. */
  static HttpResponse of(Verdict verdict, boolean forbids) {
    if (verdict instanceof Verdict.Run run) {
      ResponseHeadersBuilder headers = ResponseHeaders.builder(HttpStatus.OK);
      run.headers().forEach(headers::set);
      return HttpResponse.of(headers.set(HttpHeaderNames.CACHE_CONTROL, "no-store").build());
    }
    HttpAnswer answer =
        verdict instanceof Verdict.Refused refused
            ? refused.answer()
            : ((Verdict.Failed) verdict).answer();
    return refusal(answer, forbids);
  }

  static HttpResponse refusal(HttpAnswer answer, boolean forbids) {
    ResponseHeadersBuilder headers =
        ResponseHeaders.builder(forbids ? HttpStatus.FORBIDDEN.code() : answer.status());
    answer.headers().forEach(headers::set);
    headers.set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    if (forbids) {
      headers.setInt(RULE_STATUS, answer.status());
    }
    return HttpResponse.of(headers.build(), HttpData.ofUtf8(answer.body()));
  }
}
