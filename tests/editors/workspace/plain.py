def double(values):
    return [2 * it for it in values]
