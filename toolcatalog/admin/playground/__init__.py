"""The playground: what would this request be answered with, and why?"""
