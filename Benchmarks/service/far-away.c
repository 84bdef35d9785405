// Makes a PostgreSQL seem far away: takes connections on a loopback port, passes them on to a Unix socket, and holds everything
// back in each direction for half of the stated round trip.
//
//     far-away SOCKET MICROSECONDS
//
// Prints the port, and ends when its standard input does. `tc netem` would do it too, but needs a kernel module and its rights.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { PIECE_BYTES = 64 * 1024, PIECES = 256 };

static const char *socket_path;
static long half_nanoseconds;

struct piece {
    struct timespec due;
    ssize_t length;
    char bytes[PIECE_BYTES];
};

// One direction of one connection: a reader fills the ring, and a writer empties it when its pieces are due.
struct direction {
    int from, to;
    struct piece *ring;
    unsigned head, tail;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

static void *write_pieces(void *argument) {
    struct direction *way = argument;
    for (;;) {
        pthread_mutex_lock(&way->lock);
        while (way->head == way->tail) pthread_cond_wait(&way->changed, &way->lock);
        struct piece *next = &way->ring[way->tail % PIECES];
        pthread_mutex_unlock(&way->lock);
        if (next->length <= 0) break;
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next->due, NULL);
        for (ssize_t done = 0; done < next->length;) {
            ssize_t count = send(way->to, next->bytes + done, next->length - done, MSG_NOSIGNAL);
            if (count <= 0) break;
            done += count;
        }
        pthread_mutex_lock(&way->lock);
        way->tail++;
        pthread_cond_signal(&way->changed);
        pthread_mutex_unlock(&way->lock);
    }
    shutdown(way->to, SHUT_WR);
    return NULL;
}

static void *read_pieces(void *argument) {
    struct direction *way = argument;
    pthread_t writer;
    pthread_create(&writer, NULL, write_pieces, way);
    ssize_t length;
    do {
        pthread_mutex_lock(&way->lock);
        while (way->head - way->tail == PIECES) pthread_cond_wait(&way->changed, &way->lock);
        struct piece *next = &way->ring[way->head % PIECES];
        pthread_mutex_unlock(&way->lock);
        length = next->length = read(way->from, next->bytes, PIECE_BYTES);
        clock_gettime(CLOCK_MONOTONIC, &next->due);
        next->due.tv_nsec += half_nanoseconds;
        while (next->due.tv_nsec >= 1000000000) next->due.tv_nsec -= 1000000000, next->due.tv_sec++;
        pthread_mutex_lock(&way->lock);
        way->head++;
        pthread_cond_signal(&way->changed);
        pthread_mutex_unlock(&way->lock);
    } while (length > 0);
    pthread_join(writer, NULL);
    return NULL;
}

static struct direction *direction(int from, int to) {
    struct direction *way = calloc(1, sizeof *way);
    way->from = from, way->to = to;
    way->ring = malloc(PIECES * sizeof *way->ring);
    pthread_mutex_init(&way->lock, NULL);
    pthread_cond_init(&way->changed, NULL);
    return way;
}

static void *serve(void *argument) {
    int client = (int)(long)argument, on = 1;
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    int server = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    strncpy(place.sun_path, socket_path, sizeof place.sun_path - 1);
    if (connect(server, (struct sockaddr *)&place, sizeof place) == 0) {
        struct direction *there = direction(client, server), *back = direction(server, client);
        pthread_t other;
        pthread_create(&other, NULL, read_pieces, back);
        read_pieces(there);
        pthread_join(other, NULL);
        free(there->ring), free(there), free(back->ring), free(back);
    }
    close(server), close(client);
    return NULL;
}

static void *wait_for_end(void *argument) {
    char byte;
    while (read(0, &byte, 1) > 0) {}
    exit(0);
}

int main(int count, char **words) {
    if (count != 3) return fprintf(stderr, "usage: far-away SOCKET MICROSECONDS\n"), 2;
    socket_path = words[1];
    half_nanoseconds = atol(words[2]) * 500;
    signal(SIGPIPE, SIG_IGN);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof place;
    if (bind(listener, (struct sockaddr *)&place, length) || listen(listener, 64)) return perror("far-away"), 1;
    getsockname(listener, (struct sockaddr *)&place, &length);
    printf("%d\n", ntohs(place.sin_port)), fflush(stdout);
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_end, NULL);
    for (;;) {
        int client = accept(listener, NULL, NULL);
        if (client < 0) continue;
        if (pthread_create(&thread, NULL, serve, (void *)(long)client) == 0) pthread_detach(thread);
        else close(client);
    }
}
