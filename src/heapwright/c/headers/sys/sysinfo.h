/* Memory and processors of the system. */
#ifndef HEAPWRIGHT_SYS_SYSINFO_H
#define HEAPWRIGHT_SYS_SYSINFO_H
struct sysinfo {
    long uptime;
    unsigned long loads[3];
    unsigned long totalram;
    unsigned long freeram;
    unsigned short procs;
    unsigned int mem_unit;
};
int sysinfo(struct sysinfo *result);
int get_nprocs(void);
#endif
