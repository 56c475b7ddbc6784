/* Network interfaces. */
#ifndef HEAPWRIGHT_NET_IF_H
#define HEAPWRIGHT_NET_IF_H
#define IF_NAMESIZE 16
#define IFNAMSIZ IF_NAMESIZE
struct if_nameindex {
    unsigned int if_index;
    char *if_name;
};
unsigned int if_nametoindex(const char *name);
char *if_indextoname(unsigned int index, char *name);
struct if_nameindex *if_nameindex(void);
void if_freenameindex(struct if_nameindex *names);
#endif
