/* Functions on strings, as plain loops over characters, for any type of these: string.c and wide.c include it.
   CHARACTER is the type, PASSED that of a character as an argument, and NAME(len) the name of strlen or wcslen. */

size_t NAME(len)(const CHARACTER *text)
{
    size_t length = 0;
    while (text[length] != 0)
        length++;
    return length;
}

size_t NAME(nlen)(const CHARACTER *text, size_t limit)
{
    size_t length = 0;
    while (length < limit && text[length] != 0)
        length++;
    return length;
}

CHARACTER *NAME(cpy)(CHARACTER *target, const CHARACTER *source)
{
    size_t i = 0;
    while (source[i] != 0) {
        target[i] = source[i];
        i++;
    }
    target[i] = 0;
    return target;
}

CHARACTER *NAME(ncpy)(CHARACTER *target, const CHARACTER *source, size_t size)
{
    size_t i = 0;
    while (i < size && source[i] != 0) {
        target[i] = source[i];
        i++;
    }
    while (i < size) {
        target[i] = 0;
        i++;
    }
    return target;
}

CHARACTER *NAME(cat)(CHARACTER *target, const CHARACTER *source)
{
    size_t end = 0;
    size_t i = 0;
    while (target[end] != 0)
        end++;
    while (source[i] != 0) {
        target[end + i] = source[i];
        i++;
    }
    target[end + i] = 0;
    return target;
}

CHARACTER *NAME(ncat)(CHARACTER *target, const CHARACTER *source, size_t size)
{
    size_t end = 0;
    size_t i = 0;
    while (target[end] != 0)
        end++;
    while (i < size && source[i] != 0) {
        target[end + i] = source[i];
        i++;
    }
    target[end + i] = 0;
    return target;
}

CHARACTER *NAME(chr)(const CHARACTER *text, PASSED character)
{
    size_t i = 0;
    while (text[i] != (CHARACTER)character) {
        if (text[i] == 0)
            return NULL;
        i++;
    }
    return (CHARACTER *)text + i;
}

CHARACTER *NAME(rchr)(const CHARACTER *text, PASSED character)
{
    CHARACTER *found = NULL;
    size_t i = 0;
    while (text[i] != 0) {
        if (text[i] == (CHARACTER)character)
            found = (CHARACTER *)text + i;
        i++;
    }
    if ((CHARACTER)character == 0)
        found = (CHARACTER *)text + i;
    return found;
}

CHARACTER *NAME(pbrk)(const CHARACTER *text, const CHARACTER *accept)
{
    size_t i;
    size_t j;
    for (i = 0; text[i] != 0; i++)
        for (j = 0; accept[j] != 0; j++)
            if (text[i] == accept[j])
                return (CHARACTER *)text + i;
    return NULL;
}

size_t NAME(spn)(const CHARACTER *text, const CHARACTER *accept)
{
    size_t i;
    size_t j;
    for (i = 0; text[i] != 0; i++) {
        for (j = 0; accept[j] != 0; j++)
            if (text[i] == accept[j])
                break;
        if (accept[j] == 0)
            break;
    }
    return i;
}

size_t NAME(cspn)(const CHARACTER *text, const CHARACTER *reject)
{
    size_t i;
    size_t j;
    for (i = 0; text[i] != 0; i++)
        for (j = 0; reject[j] != 0; j++)
            if (text[i] == reject[j])
                return i;
    return i;
}

CHARACTER *NAME(str)(const CHARACTER *text, const CHARACTER *part)
{
    size_t i = 0;
    size_t j;
    for (;;) {
        j = 0;
        while (part[j] != 0 && text[i + j] == part[j])
            j++;
        if (part[j] == 0)
            return (CHARACTER *)text + i;
        if (text[i] == 0)
            return NULL;
        i++;
    }
}

CHARACTER *NAME(dup)(const CHARACTER *text)
{
    size_t length = 0;
    size_t i;
    CHARACTER *copy;
    while (text[length] != 0)
        length++;
    copy = malloc((length + 1) * sizeof(CHARACTER));
    if (copy == NULL)
        return NULL;
    for (i = 0; i <= length; i++)
        copy[i] = text[i];
    return copy;
}
