package dev.edgehill;

import io.grpc.MethodDescriptor;
import java.util.Optional;

/** A stream without its I/O: all that is left of it between two connections. */
interface StreamSession<Q, R, T> {
    /** Returns the call that is made. */
    MethodDescriptor<Q, R> method();

    /** Returns the request of the next connection, behind what the reader has. */
    Q request();

    /** Returns the news of a message; empty if all of it is known. */
    Optional<T> take(R response);

    /** Returns true if nothing comes after what was taken. */
    default boolean isOver() {
        return false;
    }

    /** Returns false if a stream that is lost can't go on where it was: its failure is thrown. */
    default boolean canResume() {
        return true;
    }

    /** Returns the failure of a stream that the server has ended; empty if that is its end. */
    default Optional<EdgehillException> endedBy() {
        return Optional.empty();
    }
}
