package dev.edgehill;

import dev.edgehill.v1.AdminServiceGrpc;
import dev.edgehill.v1.ExportAccountDataRequest;
import dev.edgehill.v1.ExportAccountDataResponse;
import io.grpc.MethodDescriptor;
import java.util.Optional;

/**
 * All that a server keeps about an account, part by part: the account, its acts by number, its matches, newest first, each with
 * its record behind it, and its competitions.
 *
 * <p>The first part is waited for as long as the {@link RetryPolicy} says. A stream that is lost behind it throws
 * {@link CallFailed}: it is asked for anew.
 */
public final class AccountData extends ResumedStream<ExportAccountDataResponse> {
    AccountData(Connection connection, Optional<String> key, String accountId) {
        super(new StreamReader<>(connection, new Session(accountId), key));
    }

    private static final class Session
            implements StreamSession<ExportAccountDataRequest, ExportAccountDataResponse, ExportAccountDataResponse> {
        private final ExportAccountDataRequest request;
        private boolean hasBegun;

        Session(String accountId) {
            this.request = ExportAccountDataRequest.newBuilder()
                    .setAccountId(accountId)
                    .build();
        }

        @Override
        public MethodDescriptor<ExportAccountDataRequest, ExportAccountDataResponse> method() {
            return AdminServiceGrpc.getExportAccountDataMethod();
        }

        @Override
        public ExportAccountDataRequest request() {
            return request;
        }

        @Override
        public Optional<ExportAccountDataResponse> take(ExportAccountDataResponse part) {
            hasBegun = true;
            return Optional.of(part);
        }

        @Override
        public boolean canResume() {
            return !hasBegun;
        }
    }
}
